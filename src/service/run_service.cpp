#include <sys/resource.h>

#include <csignal>
#include <exception>
#include <thread>

#include "service/service.hpp"
#include "spineweave/error.hpp"

namespace spineweave {
namespace {

using service::Log;
using service::LogLevel;

// Signals are waited for on one thread, and asked for on no other: handlers may do next to nothing.
class Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set_, signal);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  [[nodiscard]] int wait() const {
    int signal = 0;
    sigwait(&set_, &signal);
    return signal;
  }

 private:
  sigset_t set_{}, before_{};
};

// A connection is a file descriptor, and the usual limit is far below the most that a process may ask for.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void reload(service::Service& service, Log& log) {
  try {
    service.reload();
    log.write(LogLevel::info, "token and certificate reloaded");
  } catch (const Error& error) {
    log.write(LogLevel::error, "nothing reloaded", {{"detail", error.what()}});
  }
}

}  // namespace

void run_service(const ServiceOptions& options) {
  const Signals signals;
  raise_descriptor_limit();
  Log log(options.log_json, options.log_level);
  service::Service service(options, log);
  log.write(LogLevel::info, "listening",
            {{"address", options.address}, {"port", std::uint32_t{service.port()}}, {"state_dir", options.state_dir}});

  std::exception_ptr failure;
  std::thread server([&, waiting = pthread_self()] {
    try {
      service.run();
    } catch (...) {
      failure = std::current_exception();
      pthread_kill(waiting, SIGTERM);  // it would wait for good
    }
  });
  for (int signal = signals.wait(); signal == SIGHUP; signal = signals.wait()) reload(service, log);
  log.write(LogLevel::info, "stopping: finishing what is under way");
  service.drain();
  server.join();
  if (failure) std::rethrow_exception(failure);
  log.write(LogLevel::info, "stopped");
}

}  // namespace spineweave
