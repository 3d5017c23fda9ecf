// Keeps a state directory to one process.
#pragma once

#include <string>

namespace spineweave::service {

// Holds `directory`/lock while it lives; the kernel lets go of it where the process dies.
class DirectoryLock {
 public:
  // Makes the directory where there is none. Throws StoreError: held by another process, cannot be written.
  explicit DirectoryLock(const std::string& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace spineweave::service
