#include "service/store/directory_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "service/control/errors.hpp"

namespace spineweave::service {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

// The process that wrote its id there, for the message alone.
std::string holder(int file) {
  std::array<char, 32> text{};
  const ssize_t length = ::pread(file, text.data(), text.size(), 0);
  return length > 0 ? fmt::format(" (process {})", std::string_view(text.data(), static_cast<std::size_t>(length)))
                    : "";
}

}  // namespace

DirectoryLock::DirectoryLock(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw StoreError(fmt::format("{}: cannot be made a state directory: {}", directory, error.message()));
  const std::string path = directory + "/lock";
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file_ < 0)
    throw StoreError(fmt::format("{}: {}; expected a directory that this user may write to", path, reason(errno)));
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    const int why = errno;
    const std::string who = holder(file_);
    ::close(file_);
    if (why == EWOULDBLOCK)
      throw StoreError(fmt::format("{}: another service{} uses this state directory", directory, who));
    throw StoreError(fmt::format("{}: {}", path, reason(why)));
  }
  const std::string id = std::to_string(::getpid());
  if (::ftruncate(file_, 0) == 0) (void)!::pwrite(file_, id.data(), id.size(), 0);
}

DirectoryLock::~DirectoryLock() { ::close(file_); }

}  // namespace spineweave::service
