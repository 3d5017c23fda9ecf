#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "io/formats.hpp"
#include "io/gzip.hpp"
#include "io/text_stream.hpp"
#include "spineweave/error.hpp"
#include "spineweave/io.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 30U;
constexpr std::size_t kLeastRoom = std::size_t{1} << 16U;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void fail(const std::string& path, std::string_view what, int reason) {
  throw Error(ErrorCode::bad_input, fmt::format("{}: {}: {}", path, what, std::strerror(reason)));
}

std::string read_bytes(const std::string& path) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored))
    throw Error(ErrorCode::bad_input, path + ": is a folder; expected a file");
  const OpenFile file(std::fopen(path.c_str(), "rb"));
  if (!file) fail(path, "cannot be opened", errno);
  // Pipes have no size, so read until the end. Of other files a byte more is asked for, to see that end.
  std::string bytes;
  std::error_code no_size;
  const std::uintmax_t size = std::filesystem::file_size(path, no_size);
  std::size_t room = no_size ? kLeastRoom : std::clamp<std::uintmax_t>(size + 1, kLeastRoom, kMostBytes + 1);
  for (;;) {
    const std::size_t old_size = bytes.size();
    bytes.resize(old_size + room);
    const std::size_t got = std::fread(bytes.data() + old_size, 1, room, file.get());
    bytes.resize(old_size + got);
    if (std::ferror(file.get()) != 0) fail(path, "cannot be read", errno);
    if (bytes.size() > kMostBytes)
      throw Error(ErrorCode::bad_input, fmt::format("{}: is longer than {} bytes", path, kMostBytes));
    if (got < room) return bytes;
    room = bytes.size();
  }
}

// A name for the unfinished file, in the same folder so that the rename stays within one file system.
std::string name_beside(const std::string& path) { return fmt::format("{}.{}.tmp", path, ::getpid()); }

void write_standard_output(const io::WritePieces& write) {
  write([](std::string_view piece) {
    if (std::fwrite(piece.data(), 1, piece.size(), stdout) != piece.size())
      fail("standard output", "cannot be written", errno);
  });
  if (std::fflush(stdout) != 0) fail("standard output", "cannot be written", errno);
}

// A device or a pipe cannot be replaced by a rename without taking it away from its other end, nor a link (/dev/stdout
// is one) without its pointing elsewhere from then on.
bool keeps_its_place(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) &&
         (!std::filesystem::is_regular_file(status) || std::filesystem::is_symlink(path, ignored));
}

void write_pieces(const std::string& path, const std::string& shown, const io::WritePieces& write) {
  OpenFile file(std::fopen(path.c_str(), "wb"));
  if (!file) fail(shown, "cannot be opened for writing", errno);
  write([&](std::string_view piece) {
    if (std::fwrite(piece.data(), 1, piece.size(), file.get()) != piece.size()) fail(shown, "cannot be written", errno);
  });
  if (std::fclose(file.release()) != 0) fail(shown, "cannot be written", errno);
}

}  // namespace

std::string read_file(const std::string& path) {
  std::string content = read_bytes(path);
  if (io::is_gzip(content)) content = io::inflate_gzip(content, path, kMostBytes);
  if (content.empty()) throw Error(ErrorCode::bad_input, path + ": is empty");
  return content;
}

std::vector<std::string> io::files_in(const std::string& path) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path, error))
    if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.'))
      files.push_back(entry.path().string());
  if (error) throw Error(ErrorCode::bad_input, fmt::format("{}: the folder cannot be read: {}", path, error.message()));
  std::sort(files.begin(), files.end(), util::natural_less);
  return files;
}

void io::save_pieces(const std::string& path, const WritePieces& write) {
  if (path == "-") return write_standard_output(write);
  if (keeps_its_place(path)) return write_pieces(path, path, write);
  const std::string unfinished = name_beside(path);
  try {
    write_pieces(unfinished, path, write);
    if (std::rename(unfinished.c_str(), path.c_str()) != 0) fail(path, "cannot be replaced", errno);
  } catch (...) {
    std::remove(unfinished.c_str());
    throw;
  }
}

void write_file(const std::string& path, std::string_view content) {
  io::save_pieces(path, [&](const io::Sink& sink) { sink(content); });
}

}  // namespace spineweave
