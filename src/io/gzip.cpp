#include "io/gzip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "spineweave/error.hpp"

namespace spineweave::io {
namespace {

constexpr std::size_t kLeastRoom = std::size_t{1} << 16U;
constexpr int kGzipOnly = 16 + MAX_WBITS;

class Inflater {
 public:
  explicit Inflater(const std::string& name) : name_(name) {
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw Error(ErrorCode::internal, name_ + ": zlib does not start");
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  // Inflates the member at the front of `bytes` to the end of `out`; returns how many bytes it took.
  std::size_t member(std::string_view bytes, std::string& out, std::size_t most) {
    inflateReset(&stream_);
    std::size_t taken = 0;
    for (int state = Z_OK; state != Z_STREAM_END;) {
      const std::size_t room = std::min(std::max(kLeastRoom, out.size()), kMostAtOnce);
      const std::size_t offered = std::min(bytes.size() - taken, kMostAtOnce);
      const std::size_t old_size = out.size();
      out.resize(old_size + room);
      // zlib never writes to its input; its interface only predates const.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + taken));
      stream_.avail_in = static_cast<uInt>(offered);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + old_size);
      stream_.avail_out = static_cast<uInt>(room);
      state = inflate(&stream_, Z_NO_FLUSH);
      taken += offered - stream_.avail_in;
      out.resize(old_size + room - stream_.avail_out);
      if (out.size() > most)
        throw TooLongError(ErrorCode::bad_input, fmt::format("{}: inflates to more than {} bytes", name_, most));
      if (state == Z_BUF_ERROR || (state == Z_OK && taken == bytes.size() && stream_.avail_out > 0))
        throw Error(ErrorCode::bad_input,
                    fmt::format("{}: the gzip data end after {} bytes; the file is truncated", name_, bytes.size()));
      if (state != Z_OK && state != Z_STREAM_END)
        throw Error(ErrorCode::bad_input, fmt::format("{}: the gzip data are damaged: {}", name_,
                                                      stream_.msg != nullptr ? stream_.msg : "unknown reason"));
    }
    return taken;
  }

 private:
  static constexpr std::size_t kMostAtOnce = std::numeric_limits<uInt>::max() / 4;

  z_stream stream_{};
  const std::string& name_;
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string inflate_gzip(std::string_view bytes, const std::string& name, std::size_t most) {
  Inflater inflater(name);
  std::string out;
  while (!bytes.empty()) {
    if (!is_gzip(bytes))
      throw Error(ErrorCode::bad_input,
                  fmt::format("{}: {} bytes follow the gzip data that are no gzip themselves", name, bytes.size()));
    bytes.remove_prefix(inflater.member(bytes, out, most));
  }
  return out;
}

}  // namespace spineweave::io
