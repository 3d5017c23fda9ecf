#include "spineweave/fabric.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

constexpr std::uint64_t kMostRail = 65535;

// "HCA-3" -> 3. The verbs device names count from 0: "mlx5_2" -> 3.
std::optional<std::uint64_t> rail_of(std::string_view device) {
  if (device.starts_with("HCA-")) return util::parse_unsigned(device.substr(4));
  const auto underscore = device.find('_');
  if (!device.starts_with("mlx") || underscore == std::string_view::npos) return std::nullopt;
  if (!util::parse_unsigned(device.substr(3, underscore - 3))) return std::nullopt;
  const auto number = util::parse_unsigned(device.substr(underscore + 1));
  if (!number || *number > kMostRail) return std::nullopt;
  return *number + 1;
}

}  // namespace

std::optional<AdapterName> parse_adapter_name(std::string_view name) {
  const auto space = name.find(' ');
  if (space == std::string_view::npos || space == 0) return std::nullopt;
  const auto rail = rail_of(name.substr(space + 1));
  if (!rail || *rail > kMostRail) return std::nullopt;
  return AdapterName{std::string(name.substr(0, space)), static_cast<std::uint32_t>(*rail)};
}

}  // namespace spineweave
