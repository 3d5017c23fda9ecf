#include "service/store/records.hpp"

#include <bit>

#include "service/store/encode.hpp"

namespace spineweave::service {
namespace {

void write_real(ByteWriter& out, double value) { out.number(std::bit_cast<std::uint64_t>(value)); }
double read_real(ByteReader& in) { return std::bit_cast<double>(in.number()); }

void write_time(ByteWriter& out, Nanoseconds time) { out.number(static_cast<std::uint64_t>(time.count())); }
Nanoseconds read_time(ByteReader& in) { return Nanoseconds(static_cast<std::int64_t>(in.number())); }

}  // namespace

Bytes encode_paths(const PathTable& paths) {
  ByteWriter out;
  out.paths(paths);
  return out.take();
}

PathTable decode_paths(const Bytes& bytes) {
  ByteReader in(bytes);
  PathTable paths = in.paths();
  in.finish();
  return paths;
}

Bytes encode_detours(const std::vector<Detour>& detours) {
  ByteWriter out;
  out.number(detours.size());
  for (const Detour& detour : detours) {
    out.text(detour.job);
    out.number(detour.flow);
    out.path(detour.path);
  }
  return out.take();
}

std::vector<Detour> decode_detours(const Bytes& bytes) {
  ByteReader in(bytes);
  std::vector<Detour> detours(in.count());
  for (Detour& detour : detours) {
    detour.job = in.text();
    detour.flow = in.small();
    detour.path = in.path();
  }
  in.finish();
  return detours;
}

Bytes encode_change(const RoutingChange& change) {
  ByteWriter out;
  out.number(change.revision);
  out.number(static_cast<std::uint64_t>(change.kind));
  write_time(out, change.at);
  out.number(change.digest);
  write_real(out, change.worst_job);
  write_real(out, change.gap);
  out.number(change.improvement ? 1 : 0);
  write_real(out, change.transition.max_utilisation);
  write_real(out, change.transition.max_before);
  write_real(out, change.transition.max_all_at_once);
  out.number(change.transition.num_batches);
  out.number(change.jobs.size());
  for (const std::string& job : change.jobs) out.text(job);
  out.number(change.moves.size());
  for (const FlowMove& move : change.moves)
    for (const std::uint32_t value : {move.job, move.flow, move.host, move.batch}) out.number(value);
  out.paths(change.from);
  out.paths(change.to);
  return out.take();
}

RoutingChange decode_change(const Bytes& bytes) {
  ByteReader in(bytes);
  RoutingChange change;
  change.revision = in.number();
  change.kind = static_cast<ChangeKind>(in.small());
  change.at = read_time(in);
  change.digest = in.number();
  change.worst_job = read_real(in);
  change.gap = read_real(in);
  change.improvement = in.number() != 0;
  change.transition.max_utilisation = read_real(in);
  change.transition.max_before = read_real(in);
  change.transition.max_all_at_once = read_real(in);
  change.transition.num_batches = in.small();
  change.jobs.resize(in.count());
  for (std::string& job : change.jobs) job = in.text();
  change.moves.resize(in.count());
  for (FlowMove& move : change.moves) {
    for (std::uint32_t* value : {&move.job, &move.flow, &move.host, &move.batch}) *value = in.small();
    if (move.job >= change.jobs.size()) throw StoreError("the state is damaged: a move is of no job");
  }
  change.from = in.paths();
  change.to = in.paths();
  in.finish();
  if (change.from.size() != change.moves.size() || change.to.size() != change.moves.size())
    throw StoreError("the state is damaged: a revision has moves without paths");
  return change;
}

}  // namespace spineweave::service
