#include "fabric/fault_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spineweave/error.hpp"
#include "util/hash.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

[[noreturn]] void refuse(std::string_view fault, const std::string& why) {
  throw Error(ErrorCode::usage, fmt::format("fault '{}': {}", fault, why));
}

// "A-B", "A->B" or "A-B#1" with both ends found.
struct Pair {
  NodeId from = kNone;
  NodeId to = kNone;
  bool one_way = false;
  std::optional<std::uint32_t> parallel;
};

class FaultList {
 public:
  explicit FaultList(const Fabric& fabric) : fabric_(fabric) {}

  std::vector<LinkId> read_pair(std::string_view token) {
    take_pair(token);
    std::ranges::sort(links_);
    return std::move(links_);
  }

  std::vector<LinkId> read(std::string_view faults) {
    const auto tokens = util::split(faults, ',');
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string_view token = util::trim(tokens[i]);
      // The comma of "random:5%,seed=1" is not one between two faults.
      const std::string_view next = i + 1 < tokens.size() ? util::trim(tokens[i + 1]) : std::string_view();
      if (token.empty()) refuse(faults, "an entry is empty; expected names of switches or cables");
      if (const auto node = fabric_.find(token)) {
        take_node(*node);
      } else if (token.starts_with("spine:")) {
        take_node(spine(token));
      } else if (token.starts_with("random:")) {
        const bool has_seed = next.starts_with("seed=");
        take_random(token, has_seed ? next : "seed=1");
        if (has_seed) ++i;
      } else {
        take_pair(token);
      }
    }
    return std::move(links_);
  }

 private:
  void take_node(NodeId node) {
    for (LinkId id = fabric_.first_link(node); id < fabric_.first_link(node + 1); ++id) take_cable(id);
  }

  void take_cable(LinkId id) {
    links_.push_back(id);
    links_.push_back(fabric_.reverse(id));
  }

  NodeId spine(std::string_view token) const {
    std::uint32_t highest = 0;
    for (const Node& node : fabric_.nodes())
      if (node.tier != kUnknownTier) highest = std::max(highest, node.tier);
    std::vector<NodeId> spines;
    for (NodeId n = fabric_.num_endpoints(); n < fabric_.num_nodes(); ++n)
      if (fabric_.node(n).tier == highest) spines.push_back(n);
    const auto index = util::parse_unsigned(token.substr(token.find(':') + 1));
    if (spines.empty()) refuse(token, "the fabric's tiers are not known; expected a switch by name");
    if (!index || *index >= spines.size())
      refuse(token, fmt::format("expected a number from 0 to {}, for {} to {}", spines.size() - 1,
                                fabric_.node(spines.front()).name, fabric_.node(spines.back()).name));
    return spines[*index];
  }

  // The first of the cables, shuffled by position (Fisher and Yates).
  void take_random(std::string_view token, std::string_view seed_text) {
    std::string_view share_text = token.substr(token.find(':') + 1);
    const bool has_percent = share_text.ends_with('%');
    if (has_percent) share_text.remove_suffix(1);
    const auto share = util::parse_double(share_text);
    if (!has_percent || !share || *share < 0 || *share > 100)
      refuse(token, "expected a share from 0% to 100%, such as random:5%,seed=1");
    const auto seed = util::parse_unsigned(seed_text.substr(seed_text.find('=') + 1));
    if (!seed) refuse(token, fmt::format("'{}' is not a seed; expected a whole number", seed_text));

    std::vector<LinkId> cables;
    const auto is_switch = [&](NodeId id) { return fabric_.node(id).role == NodeRole::network; };
    for (LinkId id = 0; id < fabric_.num_links(); ++id)
      if (id < fabric_.reverse(id) && is_switch(fabric_.link(id).from) && is_switch(fabric_.link(id).to))
        cables.push_back(id);
    const auto taken = static_cast<std::size_t>(std::llround(*share / 100.0 * static_cast<double>(cables.size())));
    for (std::size_t i = 0; i < taken; ++i) {
      const auto left = static_cast<std::uint32_t>(cables.size() - i);
      std::swap(cables[i], cables[i + util::random_below(util::random_at(*seed, 0, i), left)]);
      take_cable(cables[i]);
    }
  }

  void take_pair(std::string_view token) {
    const std::vector<Pair> pairs = readings(token);
    if (pairs.empty()) refuse_unknown(token);
    std::vector<Pair> cabled;
    for (const Pair& pair : pairs)
      if (!matching(pair).empty()) cabled.push_back(pair);
    if (cabled.empty()) refuse(token, describe_lack(pairs.front()));
    if (cabled.size() > 1) {
      std::vector<std::string> meanings;
      for (const Pair& pair : cabled)
        meanings.push_back(fmt::format("'{}' to '{}'", fabric_.node(pair.from).name, fabric_.node(pair.to).name));
      refuse(token, fmt::format("is ambiguous: {}", util::join_names(meanings)));
    }
    for (const LinkId id : matching(cabled.front())) {
      if (cabled.front().one_way) {
        links_.push_back(id);
      } else {
        take_cable(id);
      }
    }
  }

  // Node names may hold '-' themselves, so every '-' is tried as the one between two names.
  std::vector<Pair> readings(std::string_view token) const {
    std::vector<Pair> pairs;
    for (auto dash = token.find('-'); dash != std::string_view::npos; dash = token.find('-', dash + 1)) {
      const auto from = fabric_.find(token.substr(0, dash));
      if (!from) continue;
      const std::string_view rest = token.substr(dash + 1);
      add_reading({*from, kNone, false, {}}, rest, pairs);
      if (rest.starts_with('>')) add_reading({*from, kNone, true, {}}, rest.substr(1), pairs);
    }
    return pairs;
  }

  void add_reading(Pair pair, std::string_view target, std::vector<Pair>& pairs) const {
    auto to = fabric_.find(target);
    const auto hash = target.rfind('#');
    if (!to && hash != std::string_view::npos) {
      const auto number = util::parse_unsigned(target.substr(hash + 1));
      if (!number || *number >= kNone) return;
      pair.parallel = static_cast<std::uint32_t>(*number);
      to = fabric_.find(target.substr(0, hash));
    }
    if (!to) return;
    pair.to = *to;
    pairs.push_back(pair);
  }

  std::vector<LinkId> matching(const Pair& pair) const {
    std::vector<LinkId> found;
    const std::uint32_t first = pair.parallel.value_or(0);
    for (std::uint32_t parallel = first;; ++parallel) {
      const auto id = fabric_.find_link(pair.from, pair.to, parallel);
      if (!id) return found;
      found.push_back(*id);
      if (pair.parallel) return found;
    }
  }

  std::string describe_lack(const Pair& pair) const {
    const std::size_t cables = matching({pair.from, pair.to, false, {}}).size();
    return fmt::format("{} cable(s) join '{}' and '{}'{}", cables, fabric_.node(pair.from).name,
                       fabric_.node(pair.to).name,
                       cables == 0 ? "; expected neighbours" : fmt::format("; expected #0 to #{}", cables - 1));
  }

  // Where one end is known, the other one is what needs a hint.
  [[noreturn]] void refuse_unknown(std::string_view token) const {
    std::string_view unknown = token;
    for (auto dash = token.find('-'); dash != std::string_view::npos; dash = token.find('-', dash + 1)) {
      const bool one_way = token.substr(dash + 1).starts_with('>');
      const std::string_view from = token.substr(0, dash);
      const std::string_view to = token.substr(dash + (one_way ? 2 : 1));
      if (fabric_.find(from)) {
        unknown = to.substr(0, to.rfind('#'));
      } else if (fabric_.find(to.substr(0, to.rfind('#')))) {
        unknown = from;
      }
    }
    std::vector<std::string_view> names;
    for (const Node& node : fabric_.nodes()) names.push_back(node.name);
    const std::string hint = util::suggest(unknown, names);
    refuse(token, fmt::format("'{}' is not in the fabric{}{}", unknown, hint.empty() ? "" : "; ", hint));
  }

  const Fabric& fabric_;
  std::vector<LinkId> links_;
};

}  // namespace

std::vector<LinkId> list_faults(const Fabric& fabric, std::string_view faults) {
  return FaultList(fabric).read(faults);
}

std::vector<LinkId> find_links(const Fabric& fabric, std::string_view name) {
  return FaultList(fabric).read_pair(name);
}

}  // namespace spineweave
