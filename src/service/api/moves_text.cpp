#include "service/api/moves_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "io/quoted.hpp"
#include "service/api/routing_view.hpp"
#include "service/api/status.hpp"
#include "spineweave/io.hpp"

namespace spineweave::service::api {
namespace {

bool is_of(const FlowMove& move, std::optional<std::uint32_t> host) { return !host || move.host == *host; }

void append_moves(std::string& text, const Snapshot& snapshot, const RoutingChange& change,
                  std::optional<std::uint32_t> host, std::uint64_t limit) {
  const char* separator = "";
  for (std::size_t m = 0, listed = 0; m < change.moves.size() && listed < limit; ++m) {
    const FlowMove& move = change.moves[m];
    if (!is_of(move, host)) continue;
    const JobEntry* job = snapshot.find_job(change.jobs[move.job]);
    if (job == nullptr || move.flow >= job->flows.size()) continue;
    fmt::format_to(std::back_inserter(text), "{}{{\"batch\":{},", separator, move.batch);
    append_flow(text, *snapshot.fabric, *job, job->flows[move.flow]);
    text += ",\"from\":";
    append_links(text, *snapshot.fabric, change.from[m]);
    text += ",\"to\":";
    append_links(text, *snapshot.fabric, change.to[m]);
    text += '}';
    separator = ",";
    ++listed;
  }
}

}  // namespace

std::string change_text(const Snapshot& snapshot, const RoutingChange& change, std::optional<std::uint32_t> host,
                        std::uint64_t limit) {
  Document::Object object = change_object(change);
  std::erase_if(object, [](const auto& entry) { return entry.first == "moves"; });
  std::string text = write_json_line(object);
  text.back() = ',';  // instead of the closing brace
  text += "\"moves\":[";
  append_moves(text, snapshot, change, host, limit);
  text += "]}";
  return text;
}

bool has_moves_of(const RoutingChange& change, std::optional<std::uint32_t> host) {
  return std::ranges::any_of(change.moves, [&](const FlowMove& move) { return is_of(move, host); });
}

std::string changes_text(const Snapshot& snapshot, Revision since, const Changes& changes,
                         std::optional<std::uint32_t> host) {
  std::string text = fmt::format("{{\"since\":{},\"revision\":{},\"digest\":\"{}\",\"changes\":[", since,
                                 snapshot.routing->revision, digest_text(snapshot.routing->digest));
  const char* separator = "";
  for (const auto& change : changes) {
    if (host && !has_moves_of(*change, host)) continue;
    text += separator;
    text += change_text(snapshot, *change, host);
    separator = ",\n";
  }
  text += "]}";
  return text;
}

}  // namespace spineweave::service::api
