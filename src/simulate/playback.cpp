#include "simulate/playback.hpp"

#include <algorithm>

namespace spineweave {
namespace {

constexpr std::uint64_t kBeforeStepNs = 1;  // between what a step waits for and its start

}  // namespace

Playback::Playback(const Traffic& traffic, std::span<const JobSchedule> schedules, std::vector<Rate> capacities)
    : traffic_(traffic),
      jobs_(schedules.size()),
      collectives_(traffic.collectives.size()),
      last_turn_ns_(traffic.turns.size(), 0),
      transfers_(std::move(capacities), static_cast<std::uint32_t>(traffic.flows.size())) {
  for (JobId job = 0; job < jobs_.size(); ++job) {
    jobs_[job].schedule = schedules[job];
    jobs_[job].epoch_start_ns = schedules[job].start_ns;
    events_.emplace(schedules[job].start_ns, EventKind::epoch, job);
  }
}

std::uint64_t Playback::next_time() {
  return std::min(transfers_.next_end(), events_.empty() ? kNever : std::get<0>(events_.top()));
}

bool Playback::is_under_way(TurnId turn) const {
  const JobState& job = jobs_[traffic_.turns[turn].job];
  return job.collectives_left > 0 && job.next_turn == turn + 1;
}

std::uint32_t Playback::epochs_to_start(JobId id) const {
  const JobState& job = jobs_[id];
  if (job.over) return 0;
  return job.schedule.epochs - job.epoch + (job.schedule.goes_on ? 1U : 0U) - (job_communicates(id) ? 1U : 0U);
}

Volume Playback::whole(CollectiveId id) const {
  const CollectiveTraffic& collective = traffic_.collectives[id];
  return volume_of(traffic_.flows[collective.first_flow].bytes) * collective.steps;
}

Volume Playback::left(CollectiveId id, std::uint64_t now) const {
  const CollectiveTraffic& collective = traffic_.collectives[id];
  const CollectiveState& state = collectives_[id];
  const Volume step = volume_of(traffic_.flows[collective.first_flow].bytes);
  if (!state.communicates) return whole(id);
  Volume present = step;
  if (state.flows_left > 0) {
    present = 0;
    for (FlowId flow = collective.first_flow; flow < collective.last_flow; ++flow)
      if (transfers_.is_active(flow)) present = std::max(present, transfers_.left(flow, now));
  }
  return step * (collective.steps - state.step - 1) + present;
}

void Playback::end_flows(std::uint64_t now) {
  for (const FlowId flow : transfers_.take_ended(now)) {
    const CollectiveId id = traffic_.collective_of_flow[flow];
    CollectiveState& collective = collectives_[id];
    const JobState& job = jobs_[traffic_.collectives[id].job];
    happened_.flows.push_back({flow, job.epoch, collective.step, transfers_.start_ns(flow), now});
    if (--collective.flows_left == 0) end_step(id, now);
  }
}

void Playback::end_step(CollectiveId id, std::uint64_t now) {
  const JobId job = traffic_.collectives[id].job;
  const bool only_first_step = jobs_[job].epoch == jobs_[job].schedule.epochs;
  if (++collectives_[id].step < traffic_.collectives[id].steps && !only_first_step) {
    events_.emplace(now + kBeforeStepNs, EventKind::step, id);
    return;
  }
  collectives_[id].communicates = false;
  if (--jobs_[job].collectives_left == 0) end_turn(job, now);
}

void Playback::end_turn(JobId id, std::uint64_t now) {
  JobState& job = jobs_[id];
  const bool counts = job.epoch < job.schedule.epochs;
  if (counts) last_turn_ns_[job.next_turn - 1] = now - job.turn_start_ns;
  if (counts && job.next_turn < traffic_.turn_begin[id + 1]) {
    start_turn(id, now);
    return;
  }
  if (counts) {
    happened_.epochs.push_back({id, job.epoch, job.epoch_start_ns, now});
    happened_.epoch_ended = true;
    ++job.epoch;
  }
  if (job.epoch < job.schedule.epochs || (counts && job.schedule.goes_on)) {
    job.epoch_start_ns = now + job.schedule.compute_ns;
    events_.emplace(job.epoch_start_ns, EventKind::epoch, id);
  } else {
    job.over = true;
    happened_.job_ended = true;
    ++num_over_;
  }
}

void Playback::start_epoch(JobId id, std::uint64_t now) {
  JobState& job = jobs_[id];
  happened_.job_began = happened_.job_began || !job.begun;
  job.begun = true;
  job.next_turn = traffic_.turn_begin[id];
  start_turn(id, now);
}

void Playback::start_turn(JobId id, std::uint64_t now) {
  JobState& job = jobs_[id];
  happened_.turn_began = true;
  job.turn_start_ns = now;
  const TurnTraffic& turn = traffic_.turns[job.next_turn++];
  for (CollectiveId collective = turn.first; collective < turn.last; ++collective) {
    collectives_[collective] = {0, 0, true};
    ++job.collectives_left;
    events_.emplace(now + kBeforeStepNs, EventKind::step, collective);
  }
}

}  // namespace spineweave
