// The life of jobs: epochs, turns, collectives side by side, steps with a barrier, and their flows under way.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <tuple>
#include <vector>

#include "simulate/traffic.hpp"
#include "simulate/transfers.hpp"
#include "spineweave/simulate.hpp"

namespace spineweave {

// When a job plays what.
struct JobSchedule {
  std::uint64_t start_ns = 0;
  std::uint64_t compute_ns = 0;  // between the end of an epoch and the start of the next one
  std::uint32_t epochs = 1;
  bool goes_on = false;  // plays the first step of one epoch more
};

class Playback {
 public:
  // What one call of play() saw.
  struct Happened {
    bool job_began = false, job_ended = false, epoch_ended = false;
    bool turn_began = false;          // the first of an epoch, or a later one
    std::vector<FlowRecord> flows;    // that ended, ascending
    std::vector<EpochRecord> epochs;  // that ended, by job
  };

  // The traffic must outlive it.
  Playback(const Traffic& traffic, std::span<const JobSchedule> schedules, std::vector<Rate> capacities);

  [[nodiscard]] std::uint64_t next_time();
  // Everything that happens to jobs and flows in this nanosecond: first the flows that end, then steps that
  // start, then epochs. `links_of(flow)` is where a flow that starts goes. Transfers::settle() must follow.
  template <class LinksOf>
  const Happened& play(std::uint64_t now, const LinksOf& links_of);

  [[nodiscard]] Transfers& transfers() { return transfers_; }
  [[nodiscard]] const Transfers& transfers() const { return transfers_; }
  [[nodiscard]] bool is_running(JobId job) const { return jobs_[job].begun && !jobs_[job].over; }
  [[nodiscard]] std::uint32_t epochs_done(JobId job) const { return jobs_[job].epoch; }
  [[nodiscard]] std::uint32_t num_over() const { return num_over_; }
  // Of a job that is not over: the start of its next epoch, of the present one while it communicates.
  [[nodiscard]] std::uint64_t epoch_start_ns(JobId job) const { return jobs_[job].epoch_start_ns; }
  // While its job communicates: whether this is the turn that it is in.
  [[nodiscard]] bool is_under_way(TurnId turn) const;
  // How long it took the last time; 0: it has not ended yet.
  [[nodiscard]] std::uint64_t last_turn_ns(TurnId turn) const { return last_turn_ns_[turn]; }
  // That are still to start, the one included of which only the first step is played.
  [[nodiscard]] std::uint32_t epochs_to_start(JobId job) const;
  // In its turn, and not done with it.
  [[nodiscard]] bool communicates(CollectiveId collective) const { return collectives_[collective].communicates; }
  [[nodiscard]] bool job_communicates(JobId job) const { return jobs_[job].collectives_left > 0; }
  // What its slowest flow still has to send in this epoch, or in the next one where it does not communicate.
  [[nodiscard]] Volume left(CollectiveId collective, std::uint64_t now) const;
  // What one of its flows sends in an epoch.
  [[nodiscard]] Volume whole(CollectiveId collective) const;

 private:
  struct JobState {
    JobSchedule schedule;
    std::uint32_t epoch = 0;
    std::uint64_t epoch_start_ns = 0, turn_start_ns = 0;
    std::uint32_t collectives_left = 0;  // of the present turn; 0: it computes
    TurnId next_turn = 0;                // in this epoch
    bool begun = false, over = false;
  };
  struct CollectiveState {
    std::uint32_t step = 0;
    std::uint32_t flows_left = 0;
    bool communicates = false;
  };
  // In one nanosecond steps start before epochs, lower ids first.
  enum class EventKind : std::uint8_t { step, epoch };
  using Event = std::tuple<std::uint64_t, EventKind, std::uint32_t>;  // the id of a collective or a job

  void end_flows(std::uint64_t now);
  void end_step(CollectiveId id, std::uint64_t now);
  void end_turn(JobId id, std::uint64_t now);
  void start_epoch(JobId id, std::uint64_t now);
  void start_turn(JobId id, std::uint64_t now);

  const Traffic& traffic_;
  std::vector<JobState> jobs_;
  std::vector<CollectiveState> collectives_;
  std::vector<std::uint64_t> last_turn_ns_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Transfers transfers_;
  Happened happened_;
  std::uint32_t num_over_ = 0;
};

template <class LinksOf>
const Playback::Happened& Playback::play(std::uint64_t now, const LinksOf& links_of) {
  happened_ = {};
  end_flows(now);
  while (!events_.empty() && std::get<0>(events_.top()) == now) {
    const auto [time, kind, id] = events_.top();
    events_.pop();
    if (kind == EventKind::epoch) {
      start_epoch(id, now);
      continue;
    }
    const CollectiveTraffic& collective = traffic_.collectives[id];
    CollectiveState& state = collectives_[id];
    for (FlowId flow = collective.first_flow; flow < collective.last_flow; ++flow) {
      if (!traffic_.steps_of_flow[flow].holds(state.step)) continue;
      ++state.flows_left;
      transfers_.start(flow, traffic_.flows[flow].bytes, links_of(flow), now);
    }
  }
  return happened_;
}

}  // namespace spineweave
