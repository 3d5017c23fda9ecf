// The bearer token that clients must show.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace spineweave::service::http {

class Token {
 public:
  // Throws Error{usage} unless it has 16 to 4,096 visible characters.
  explicit Token(std::string_view text);

  // True where the value of an Authorization header shows it. How long that takes tells nothing about
  // where the two differ.
  [[nodiscard]] bool is_shown_by(std::string_view authorization) const;

 private:
  using Digest = std::array<std::uint8_t, 32>;
  [[nodiscard]] static Digest digest_of(std::string_view text);

  Digest digest_;  // of equal length for all tokens; and the token itself is not kept in memory
};

// The first line of the file. Throws Error{bad_input}, and as the constructor does.
[[nodiscard]] Token read_token(const std::string& path);

}  // namespace spineweave::service::http
