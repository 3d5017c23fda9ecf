#include "service/http/token.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>

#include "service/http/message.hpp"
#include "spineweave/error.hpp"
#include "spineweave/io.hpp"
#include "util/text.hpp"

namespace spineweave::service::http {
namespace {

constexpr std::size_t kShortest = 16;
constexpr std::size_t kLongest = 4096;
constexpr std::string_view kScheme = "Bearer ";

bool is_visible(char c) { return c > ' ' && c <= '~'; }

}  // namespace

Token::Token(std::string_view text) : digest_(digest_of(text)) {
  if (text.size() < kShortest || text.size() > kLongest || !std::ranges::all_of(text, is_visible))
    throw Error(ErrorCode::usage,
                fmt::format("the token has {} characters; expected {} to {}, all of them visible ASCII", text.size(),
                            kShortest, kLongest));
}

Token::Digest Token::digest_of(std::string_view text) {
  Digest digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return digest;
}

bool Token::is_shown_by(std::string_view authorization) const {
  if (authorization.size() < kScheme.size() || !equal_ignoring_case(authorization.substr(0, kScheme.size()), kScheme))
    return false;
  const Digest shown = digest_of(util::trim(authorization.substr(kScheme.size())));
  return CRYPTO_memcmp(shown.data(), digest_.data(), digest_.size()) == 0;
}

Token read_token(const std::string& path) {
  const std::string content = read_file(path);
  try {
    return Token(util::trim(std::string_view(content).substr(0, content.find('\n'))));
  } catch (const Error& error) {
    throw Error(error.code(), path + ": " + error.what());
  }
}

}  // namespace spineweave::service::http
