// The program's verb: options, the environment, signals.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "service/api/test_service.hpp"
#include "support/program.hpp"

namespace spineweave::service::test {
namespace {

using spineweave::test::Outcome;
using spineweave::test::ScratchFolder;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(Serve, HelpFitsEightyColumnsAndNamesTheVariableOfEveryOption) {
  const Outcome help = ScratchFolder().run({"serve", "--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, Not(ContainsRegex("[^\n]{81}")));
  EXPECT_THAT(help.out,
              AllOf(HasSubstr("--state-dir"), HasSubstr("SPINEWEAVE_STATE_DIR"), HasSubstr("SPINEWEAVE_DRY_RUN")));
}

TEST(Serve, WhatCannotWorkIsRefusedBeforeItStarts) {
  const ScratchFolder folder;
  const auto refusal = [&](std::vector<std::string> options) {
    options.insert(options.begin(), "serve");
    const Outcome outcome = folder.run(options);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(refusal({}), HasSubstr("--state-dir is missing"));
  EXPECT_THAT(refusal({"--state-dir", "s", "--listen", "8080"}), HasSubstr("--listen is '8080'"));
  EXPECT_THAT(refusal({"--state-dir", "s", "--listen", "0.0.0.0:0"}), HasSubstr("needs a token"));
  EXPECT_THAT(refusal({"--state-dir", "s", "--margin", "2"}), HasSubstr("--margin is '2'"));
  EXPECT_THAT(refusal({"--state-dir", "s", "--max-body", "12"}), HasSubstr("--max-body is '12'"));
  EXPECT_THAT(refusal({"--state-dir", "s", "--log-level", "loud"}), HasSubstr("the log level is 'loud'"));
}

TEST(Serve, TheCommandLineComesBeforeTheEnvironmentAndThatBeforeTheDefault) {
  const ScratchFolder folder;
  setenv("SPINEWEAVE_LISTEN", "nowhere", 1);
  setenv("SPINEWEAVE_STATE_DIR", "state", 1);
  setenv("SPINEWEAVE_DRY_RUN", "maybe", 1);
  EXPECT_THAT(folder.run({"serve"}).err, HasSubstr("SPINEWEAVE_DRY_RUN is 'maybe'; expected true or false"));
  setenv("SPINEWEAVE_DRY_RUN", "true", 1);
  EXPECT_THAT(folder.run({"serve"}).err, HasSubstr("SPINEWEAVE_LISTEN is 'nowhere'; expected one such as"));
  EXPECT_THAT(folder.run({"serve", "--listen", "elsewhere"}).err, HasSubstr("--listen is 'elsewhere'"));
  for (const char* variable : {"SPINEWEAVE_LISTEN", "SPINEWEAVE_STATE_DIR", "SPINEWEAVE_DRY_RUN"}) unsetenv(variable);
}

// A service of its own process, that signals can be sent to.
class Process {
 public:
  explicit Process(const std::string& folder) : log_(folder + "/log"), token_(folder + "/token") {
    write_token("the-first-token-of-all");
    const std::string state = folder + "/state";
    id_ = fork();
    if (id_ == 0) {
      const auto* ignored = std::freopen(log_.c_str(), "w", stderr);
      (void)ignored;
      execl(SPINEWEAVE_PROGRAM, SPINEWEAVE_PROGRAM, "serve", "--listen", "127.0.0.1:0", "--state-dir", state.c_str(),
            "--token-file", token_.c_str(), "--log-json", nullptr);
      _exit(127);
    }
    port_ = wait_for("listening").at("port");
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (id_ > 0) (void)end(SIGKILL);
  }

  void write_token(const std::string& token) const { std::ofstream(token_) << token << '\n'; }
  void send(int signal) const { kill(id_, signal); }
  // Its exit status; -1 where the signal killed it.
  [[nodiscard]] int end(int signal) {
    send(signal);
    int status = 0;
    waitpid(id_, &status, 0);
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  // The line of the log with that message, once it is there.
  [[nodiscard]] Json wait_for(const std::string& message) const {
    for (;;) {
      std::ifstream log(log_);
      for (std::string line; std::getline(log, line) && !log.eof();)
        if (Json entry = Json::parse(line); entry.at("message") == message) return entry;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  [[nodiscard]] int status_with(const std::string& token) const {
    return ask(port_, "GET", "/v1/status", "", "Authorization: Bearer " + token + "\r\n").status;
  }

 private:
  const std::string log_, token_;
  pid_t id_ = -1;
  std::uint16_t port_ = 0;
};

TEST(Serve, HangupReloadsTheTokenAndTermStopsInOrder) {
  const StateDirectory folder;
  Process service(folder.path());
  EXPECT_EQ(service.status_with("the-first-token-of-all"), 200);
  service.write_token("another-token-for-today");
  service.send(SIGHUP);
  (void)service.wait_for("token and certificate reloaded");
  EXPECT_EQ(service.status_with("the-first-token-of-all"), 401);
  EXPECT_EQ(service.status_with("another-token-for-today"), 200);
  service.write_token("short");
  service.send(SIGHUP);
  EXPECT_THAT(service.wait_for("nothing reloaded").at("detail"), HasSubstr("16 to"));
  EXPECT_EQ(service.status_with("another-token-for-today"), 200);
  EXPECT_EQ(service.end(SIGTERM), 0);
  EXPECT_EQ(service.wait_for("stopped").at("level"), "info");
}

}  // namespace
}  // namespace spineweave::service::test
