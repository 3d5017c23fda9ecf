// What was acknowledged survives kill -9 at any moment.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <sstream>
#include <thread>

#include "service/control/simulation.hpp"
#include "support/program.hpp"
#include "util/hash.hpp"

namespace spineweave::service::test {
namespace {

// Runs the writer for that long after it is ready, kills it, and gives all that it said.
std::string run_and_kill(const std::string& directory, std::uint64_t seed, Nanoseconds time) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t writer = fork();
  if (writer == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    const std::string seed_text = std::to_string(seed);
    execl(SPINEWEAVE_STATE_WRITER, SPINEWEAVE_STATE_WRITER, directory.c_str(), seed_text.c_str(), nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::string said;
  char buffer[65536];
  const auto read_on = [&] {
    const ssize_t length = read(ends[0], buffer, sizeof buffer);
    if (length > 0) said.append(buffer, static_cast<std::size_t>(length));
    return length > 0;
  };
  while (said.find("ready\n") == std::string::npos && read_on()) {
  }
  std::thread killer([&] {
    std::this_thread::sleep_for(time);
    kill(writer, SIGKILL);
  });
  while (read_on()) {
  }
  killer.join();
  int status = 0;
  EXPECT_EQ(waitpid(writer, &status, 0), writer);
  EXPECT_TRUE(WIFSIGNALED(status)) << "it ended by itself";
  close(ends[0]);
  return said;
}

// What the writers were told, over all their lives.
class Ledger {
 public:
  void read(const std::string& said) {
    std::istringstream lines(said);
    for (std::string word; lines >> word;) {
      if (word == "begin") {
        std::string thread, what, id;
        lines >> thread >> what >> id;
        begun_[thread] = {what == "put", id, false};
      } else if (word == "done") {
        std::string thread;
        Revision revision = 0;
        lines >> thread >> revision;
        Step& step = begun_.at(thread);
        step.is_done = true;
        jobs_[step.id] = step.puts ? revision : 0;
        newest_ = std::max(newest_, revision);
      } else if (word == "routed") {
        Revision revision = 0;
        std::uint64_t digest = 0;
        lines >> revision >> digest;
        routed_ = {revision, digest};
        newest_ = std::max(newest_, revision);
      }
    }
  }

  // A change that was under way may have happened or not; all others have.
  void check(const Snapshot& snapshot) {
    EXPECT_GE(snapshot.revision, newest_);
    std::map<std::string, bool> open;
    for (auto& [thread, step] : begun_)
      if (!step.is_done) open[step.id] = true;
    for (auto& [id, revision] : jobs_) {
      const JobEntry* job = snapshot.find_job(id);
      const Revision found = job == nullptr ? 0 : job->revision;
      if (!open.contains(id)) {
        EXPECT_EQ(found, revision) << id;
      }
      revision = found;
    }
    for (const auto& job : *snapshot.jobs)
      EXPECT_TRUE(jobs_.contains(job->job.id) || open.contains(job->job.id)) << job->job.id;
    for (const auto& job : *snapshot.jobs) jobs_[job->job.id] = job->revision;
    EXPECT_GE(snapshot.routing->revision, routed_.first);
    if (snapshot.routing->revision == routed_.first && routed_.first > 0) {
      EXPECT_EQ(snapshot.routing->digest, routed_.second);
    }
    begun_.clear();
  }
  [[nodiscard]] Revision newest() const { return newest_; }

 private:
  struct Step {
    bool puts = false;
    std::string id;
    bool is_done = false;
  };
  std::map<std::string, Step> begun_;     // by thread
  std::map<std::string, Revision> jobs_;  // 0: removed
  std::pair<Revision, std::uint64_t> routed_{0, 0};
  Revision newest_ = 0;
};

void kill_often(int times) {
  const spineweave::test::ScratchFolder folder;
  const std::string directory = folder.file("state");
  Ledger ledger;
  for (int i = 0; i < times && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(fmt::format("kill {}", i));
    const std::uint64_t random = util::random_at(1, 0, static_cast<std::uint64_t>(i));
    ledger.read(run_and_kill(directory, random, std::chrono::microseconds(random % 150'000)));
    TestClock clock;
    const Controller controller(timeless_options(), open_store(directory), clock);
    ledger.check(*controller.snapshot());
  }
  EXPECT_GT(ledger.newest(), static_cast<Revision>(times)) << "the writers got nowhere";
}

TEST(Kill, LosesNothingThatWasAcknowledged) { kill_often(20); }

TEST(KillLong, LosesNothingThatWasAcknowledgedInTwoHundredTimes) { kill_often(200); }

}  // namespace
}  // namespace spineweave::service::test
