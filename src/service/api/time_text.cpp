#include "service/api/time_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>

namespace spineweave::service::api {
namespace {

using namespace std::chrono;
using Days = time_point<system_clock, days>;

constexpr std::size_t kMostDecimals = 9;

// Takes what it reads from the front of the text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  [[nodiscard]] std::optional<int> digits(std::size_t count) {
    if (rest_.size() < count) return std::nullopt;
    int value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + count, value);
    if (error != std::errc() || end != rest_.data() + count || rest_.front() == '-') return std::nullopt;
    rest_.remove_prefix(count);
    return value;
  }
  [[nodiscard]] bool sign(char expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // ".5" -> 500,000,000
  [[nodiscard]] std::optional<Nanoseconds> decimals() {
    if (!sign('.')) return Nanoseconds(0);
    const std::size_t count = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (count == 0 || count > kMostDecimals) return std::nullopt;
    std::string padded(rest_.substr(0, count));
    padded.resize(kMostDecimals, '0');
    rest_.remove_prefix(count);
    return Nanoseconds(std::stoll(padded));
  }
  [[nodiscard]] bool is_at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

std::optional<minutes> scan_offset(Scanner& text) {
  if (text.sign('Z')) return minutes(0);
  const bool is_east = text.sign('+');
  if (!is_east && !text.sign('-')) return std::nullopt;
  const auto hour = text.digits(2);
  if (!hour || !text.sign(':')) return std::nullopt;
  const auto minute = text.digits(2);
  if (!minute || *hour > 23 || *minute > 59) return std::nullopt;
  const minutes offset = hours(*hour) + minutes(*minute);
  return is_east ? offset : -offset;
}

}  // namespace

std::string time_text(Nanoseconds time) {
  const auto day = floor<days>(time);
  const year_month_day date{Days(day)};
  const hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

std::optional<Nanoseconds> parse_time(std::string_view text) {
  Scanner scanner(text);
  const auto year_digits = scanner.digits(4);
  if (!year_digits || !scanner.sign('-')) return std::nullopt;
  const auto month_digits = scanner.digits(2);
  if (!month_digits || !scanner.sign('-')) return std::nullopt;
  const auto day_digits = scanner.digits(2);
  if (!day_digits || !scanner.sign('T')) return std::nullopt;
  const auto hour = scanner.digits(2);
  if (!hour || !scanner.sign(':')) return std::nullopt;
  const auto minute = scanner.digits(2);
  if (!minute || !scanner.sign(':')) return std::nullopt;
  const auto second = scanner.digits(2);
  if (!second) return std::nullopt;
  const auto fraction = scanner.decimals();
  if (!fraction) return std::nullopt;
  const auto offset = scan_offset(scanner);
  const year_month_day date{year(*year_digits), month(static_cast<unsigned>(*month_digits)),
                            day(static_cast<unsigned>(*day_digits))};
  if (!offset || !scanner.is_at_end() || !date.ok() || *year_digits < 1970 || *year_digits > 2200 || *hour > 23 ||
      *minute > 59 || *second > 60)
    return std::nullopt;
  return Days(date).time_since_epoch() + hours(*hour) + minutes(*minute) + seconds(*second) + *fraction - *offset;
}

}  // namespace spineweave::service::api
