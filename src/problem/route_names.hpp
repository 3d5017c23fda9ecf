// Routes as files name them: which flow and which candidate they mean, and what is wrong with them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spineweave/routing.hpp"

namespace spineweave {

// Culprits by kind: counted, the first few named.
class Complaints {
 public:
  // `who` gives the name, and is asked only where it will be shown.
  template <class Who>
  void add(std::string_view kind, Who&& who) {
    auto entry = kinds_.find(kind);
    if (entry == kinds_.end()) entry = kinds_.emplace(kind, Culprits{}).first;
    if (++entry->second.count <= kNamed) entry->second.names.push_back(std::forward<Who>(who)());
  }
  // Throws Error{bad_input} where there are any.
  void raise(std::string_view what) const;

 private:
  static constexpr std::size_t kNamed = 3;
  struct Culprits {
    std::size_t count = 0;
    std::vector<std::string> names;
  };
  std::map<std::string, Culprits, std::less<>> kinds_;
};

// Kinds of complaints about a whole routing.
inline constexpr std::string_view kTwice = "flows routed twice";
inline constexpr std::string_view kWithout = "flows without a route";

// Throws Error{bad_input}; `who` is "the routing belongs".
void check_digests(const Problem& problem, std::uint64_t fabric_digest, std::uint64_t jobs_digest,
                   std::string_view who);

[[nodiscard]] NamedRoute name_route(const Problem& problem, FlowId flow, PathIndex path);
// "job 0 collective 1 flow 2 (n1 to n2)"
[[nodiscard]] std::string describe_flow(const Problem& problem, FlowId flow);

// Finds what routes mean. The problem must outlive it.
class RouteNames {
 public:
  explicit RouteNames(const Problem& problem);

  struct Place {
    FlowId flow = kNone;     // kNone: the jobs have no such flow
    PathIndex path = kNone;  // kNone: its links are no live candidate of the flow
  };
  // What is missing is a complaint.
  [[nodiscard]] Place find(const NamedRoute& route, Complaints& complaints) const;

 private:
  [[nodiscard]] FlowId find_flow(const NamedRoute& route) const;
  [[nodiscard]] PathIndex find_path(FlowId flow, const std::vector<std::string>& links) const;

  const Problem& problem_;
  std::unordered_map<std::string, JobId> jobs_;
  std::vector<FlowId> job_begin_;
};

}  // namespace spineweave
