// The state directory: what comes back, and what is refused.
#include "service/store/store.hpp"

#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "service/control/errors.hpp"
#include "service/control/simulation.hpp"

namespace spineweave::service::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

template <class Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (const StoreError& error) {
    return error.what();
  }
  ADD_FAILURE() << "expected a StoreError";
  return {};
}

void execute(const std::string& file, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

class StateDirectory : public testing::Test {
 protected:
  [[nodiscard]] std::string directory() const { return folder_.file("state"); }
  [[nodiscard]] std::string file() const { return directory() + "/state.db"; }

 private:
  QuickFolder folder_;
};

TEST_F(StateDirectory, ASecondServiceIsRefused) {
  const auto store = open_store(directory());
  EXPECT_THAT(refusal([&] { (void)open_store(directory()); }),
              AllOf(HasSubstr("another service"), HasSubstr(std::to_string(getpid()))));
}

TEST_F(StateDirectory, IsFreeAgainAfterItsService) {
  (void)open_store(directory());
  EXPECT_NO_THROW((void)open_store(directory()));
}

TEST_F(StateDirectory, IsForItsOwnerAlone) {
  using std::filesystem::perms;
  const auto store = open_store(directory());
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory())) {
    EXPECT_EQ(entry.status().permissions() & (perms::group_all | perms::others_all), perms::none) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 2) << "the lock and the database";
}

TEST_F(StateDirectory, ADamagedFileIsRefused) {
  { (void)open_store(directory()); }
  std::filesystem::remove(file() + "-wal");
  std::fstream(file(), std::ios::in | std::ios::out | std::ios::binary).write("this is no database at all", 26);
  EXPECT_THAT(refusal([&] { (void)open_store(directory()); }), HasSubstr("damaged"));
}

TEST_F(StateDirectory, ANewerSchemaIsRefused) {
  { (void)open_store(directory()); }
  execute(file(), "PRAGMA user_version = 99");
  EXPECT_THAT(refusal([&] { (void)open_store(directory()); }), AllOf(HasSubstr("schema 99"), HasSubstr("newer")));
}

TEST_F(StateDirectory, TheDatabaseOfAnotherProgramIsRefused) {
  std::filesystem::create_directories(directory());
  execute(file(), "CREATE TABLE cats (name TEXT)");
  EXPECT_THAT(refusal([&] { (void)open_store(directory()); }), HasSubstr("another program"));
}

TEST_F(StateDirectory, AFileInItsPlaceIsRefused) {
  std::ofstream(directory()) << "a file";
  EXPECT_THAT(refusal([&] { (void)open_store(directory()); }), HasSubstr(directory()));
}

TEST_F(StateDirectory, OneThatMayNotBeWrittenIsRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  { (void)open_store(directory()); }
  std::filesystem::permissions(directory(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_THAT(refusal([&] { (void)open_store(directory()); }), HasSubstr("write"));
  std::filesystem::permissions(directory(), std::filesystem::perms::owner_all);
}

// Files of this process cannot grow beyond a limit: a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST(FullStateDirectory, AChangeThatFindsNoRoomIsRefusedAndTheServiceGoesOn) {
  Simulated simulated;
  simulated->put_fabric(build_fabric(kSmall));
  simulated.put_jobs("rings:jobs=1,size=8,seed=1");
  simulated.pass(100ms);
  const auto before = simulated.snapshot();
  {
    const FullDisk full(std::filesystem::file_size(simulated.directory() + "/state.db-wal"));
    EXPECT_THROW(simulated->set_link("leaf-0-spine-0", kDown), StoreError);
    EXPECT_EQ(simulated.snapshot()->revision, before->revision);
    EXPECT_EQ(simulated.snapshot()->reports, before->reports);
  }
  EXPECT_NO_THROW(simulated->set_link("leaf-0-spine-0", kDown));
  simulated.restart();
  EXPECT_EQ(simulated.snapshot()->revision, before->revision + 1);
  EXPECT_EQ(simulated.snapshot()->reports->links.size(), 2U);
}

TEST(FullStateDirectory, ARoutingThatCannotBeWrittenIsPublishedLater) {
  Simulated simulated;
  simulated->put_fabric(build_fabric(kSmall));
  simulated.put_jobs("rings:jobs=1,size=8,seed=1");
  {
    const FullDisk full(std::filesystem::file_size(simulated.directory() + "/state.db-wal"));
    simulated.pass(100ms);
    EXPECT_EQ(simulated.snapshot()->routing->revision, 0U);
    EXPECT_NE(simulated.snapshot()->health.error, "");
  }
  simulated.pass(2s);
  EXPECT_TRUE(is_complete(*simulated.snapshot()));
  EXPECT_EQ(simulated.snapshot()->health.error, "");
}

TEST(StoredState, ComesBackAsItWas) {
  Simulated simulated;
  simulated->put_fabric(build_fabric("fat-tree:k=4,gbps=100"));
  simulated->put_phases({{"day", 1000}, {"night", 2000}});
  simulated.put_jobs("rings:jobs=3,size=4,seed=1");
  Job nightly = simulated.snapshot()->jobs->front()->job;
  nightly.id = "nightly \"quoted\" \xc3\xa9";
  nightly.phase_mask = 2;
  nightly.compute_ns = 5;
  simulated.put_job(nightly);
  simulated.pass(100ms);
  const std::string link =
      simulated.snapshot()->fabric->link_name(simulated.snapshot()->routing->jobs.front()->paths.links()[1]);
  simulated->set_link(link, {LinkState::degraded, 40'000'000'000});
  simulated->set_switch(simulated.snapshot()->fabric->nodes().back().name, false);
  simulated.pass(100ms);
  simulated->freeze(true);
  const auto before = simulated.snapshot();
  simulated.restart();
  const auto after = simulated.snapshot();
  EXPECT_EQ(after->revision, before->revision);
  EXPECT_EQ(after->frozen, before->frozen);
  EXPECT_EQ(after->fabric->digest(), before->fabric->digest());
  EXPECT_EQ(after->fabric_revision, before->fabric_revision);
  EXPECT_EQ(after->routing->revision, before->routing->revision);
  EXPECT_EQ(after->routing->digest, before->routing->digest);
  EXPECT_EQ(present_fabric(*after).digest(), present_fabric(*before).digest());
  ASSERT_EQ(after->jobs->size(), before->jobs->size());
  for (std::size_t j = 0; j < before->jobs->size(); ++j) {
    EXPECT_EQ((*after->jobs)[j]->job.id, (*before->jobs)[j]->job.id);
    EXPECT_EQ((*after->jobs)[j]->revision, (*before->jobs)[j]->revision);
    EXPECT_EQ((*after->jobs)[j]->job.phase_mask, (*before->jobs)[j]->job.phase_mask);
    EXPECT_EQ((*after->jobs)[j]->job.compute_ns, (*before->jobs)[j]->job.compute_ns);
    EXPECT_EQ(after->routing->jobs[j]->paths, before->routing->jobs[j]->paths);
  }
  ASSERT_EQ(after->history->changes.size(), before->history->changes.size());
  for (std::size_t i = 0; i < before->history->changes.size(); ++i) {
    EXPECT_EQ(after->history->changes[i]->revision, before->history->changes[i]->revision);
    EXPECT_EQ(after->history->changes[i]->digest, before->history->changes[i]->digest);
    EXPECT_EQ(after->history->changes[i]->from, before->history->changes[i]->from);
    EXPECT_EQ(after->history->changes[i]->to, before->history->changes[i]->to);
  }
  simulated.pass(100ms);
  EXPECT_EQ(simulated.snapshot()->routing->digest, before->routing->digest) << "a restart moves nothing";
  EXPECT_EQ(simulated.snapshot()->summary->digest, before->summary->digest);
}

}  // namespace
}  // namespace spineweave::service::test
