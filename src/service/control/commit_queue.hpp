// Changes from many threads, one after the other, and several of them with one flush of the disk.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "service/control/draft.hpp"

namespace spineweave::service {

class CommitQueue {
 public:
  using Request = std::function<void(Draft&)>;

  // `present` gives the snapshot that a draft begins with; `publish` makes the draft's the present one, and may not
  // throw. Both are called by one thread at a time.
  CommitQueue(Store& store, const Clock& clock, std::function<std::shared_ptr<const Snapshot>()> present,
              std::function<void(Draft&)> publish);

  // Returns once the change is durable and published. Throws what the request throws, which then changed nothing;
  // StoreError where it could not be made durable: then nothing that shared its draft was changed.
  void commit(const Request& request);

 private:
  struct Ticket {
    const Request* request;
    Nanoseconds arrived;
    std::exception_ptr error;
    bool done = false;
  };
  void process(const std::vector<Ticket*>& batch);
  static void apply(const std::vector<Ticket*>& batch, Draft& draft);

  Store& store_;
  const Clock& clock_;
  std::function<std::shared_ptr<const Snapshot>()> present_;
  std::function<void(Draft&)> publish_;
  std::mutex mutex_;
  std::condition_variable done_;
  std::vector<Ticket*> waiting_;
  bool led_ = false;
};

}  // namespace spineweave::service
