// Flow weights: demands as exact fractions, then as small integers.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "problem/build.hpp"
#include "spineweave/error.hpp"
#include "util/hash.hpp"

namespace spineweave {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr std::uint32_t kMaxWeight = 65535;

Wide greatest_divisor(Wide a, Wide b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

// A non-negative fraction in lowest terms. Where it would not fit, both parts are halved alike until
// they do: no longer exact, yet the same on every machine.
struct Fraction {
  std::uint64_t numerator = 0, denominator = 1;

  static Fraction reduced(Wide numerator, Wide denominator) {
    const Wide divisor = std::max<Wide>(1, greatest_divisor(numerator, denominator));
    numerator /= divisor, denominator /= divisor;
    constexpr Wide limit = Wide{1} << 62U;
    while (numerator >= limit || denominator >= limit) numerator >>= 1U, denominator >>= 1U;
    return {static_cast<std::uint64_t>(numerator), std::max<std::uint64_t>(1, static_cast<std::uint64_t>(denominator))};
  }
  friend bool operator<(const Fraction& a, const Fraction& b) {
    return Wide{a.numerator} * b.denominator < Wide{b.numerator} * a.denominator;
  }
  friend bool operator==(const Fraction&, const Fraction&) = default;
};

// One side of one endpoint: all of its ports together, since each flow picks a port.
struct Access {
  Fraction residual;
  Fraction share;           // residual over flows
  std::uint32_t flows = 0;  // not frozen yet
};

std::uint64_t port_capacity(const Fabric& fabric, EndpointId endpoint, bool sum) {
  std::uint64_t capacity = 0;
  for (const Link& link : fabric.links_from(endpoint))
    capacity = sum ? capacity + link.capacity_bps : std::max(capacity, link.capacity_bps);
  return capacity;
}

// Fills one job after the other; what it keeps between them is room.
class JobFiller {
 public:
  explicit JobFiller(const Fabric& fabric) : fabric_(fabric), out_(fabric.num_endpoints()), in_(out_) {}

  // Progressive filling over access links alone: each round freezes the flows of the links with the
  // least share per flow.
  void fill(std::span<const FlowSpec> flows, std::span<Fraction> rates) {
    find_accesses(flows);
    std::vector<std::uint32_t> open(flows.size());
    std::iota(open.begin(), open.end(), 0U);
    std::vector<std::uint32_t> still_open;
    std::vector<std::uint32_t> frozen(accesses_.size());
    while (!open.empty()) {
      share_out();
      Fraction least{1, 0};  // infinity
      for (const Access& access : accesses_)
        if (access.flows > 0) least = std::min(least, access.share);
      // A flow takes one port at each end, so no share passes one port's capacity.
      const auto one_port = [&](std::uint32_t f) {
        return Fraction{
            std::min(port_capacity(fabric_, flows[f].src, false), port_capacity(fabric_, flows[f].dst, false)), 1};
      };
      if (several_ports_)
        for (const std::uint32_t f : open) least = std::min(least, one_port(f));
      const auto freezes = [&](std::uint32_t f) {
        return accesses_[ends_[f].first].share == least || accesses_[ends_[f].second].share == least ||
               (several_ports_ && one_port(f) == least);
      };
      std::ranges::fill(frozen, 0);
      still_open.clear();
      for (const std::uint32_t f : open) {
        if (!freezes(f)) {
          still_open.push_back(f);
          continue;
        }
        rates[f] = least;
        ++frozen[ends_[f].first], ++frozen[ends_[f].second];
      }
      for (std::size_t a = 0; a < accesses_.size(); ++a)
        if (frozen[a] > 0) take(accesses_[a], least, frozen[a]);
      std::swap(open, still_open);
    }
  }

 private:
  // The place of an endpoint's side among the accesses of the job that used it last.
  struct Place {
    JobId job = kNone;
    std::uint32_t access = 0;
  };

  void find_accesses(std::span<const FlowSpec> flows) {
    accesses_.clear();
    ends_.resize(flows.size());
    several_ports_ = false;
    const auto place_of = [&](Place& place, JobId job, EndpointId endpoint) {
      if (place.job != job) {
        place = {job, static_cast<std::uint32_t>(accesses_.size())};
        accesses_.push_back({{port_capacity(fabric_, endpoint, true), 1}, {}, 0});
        several_ports_ |= fabric_.links_from(endpoint).size() > 1;
      }
      ++accesses_[place.access].flows;
      return place.access;
    };
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const FlowSpec& flow = flows[f];
      ends_[f].first = place_of(out_[flow.src], flow.job, flow.src);
      ends_[f].second = place_of(in_[flow.dst], flow.job, flow.dst);
    }
  }

  // Most accesses are alike, and a fraction in lowest terms is slow to find.
  void share_out() {
    const Access* last = nullptr;
    for (Access& access : accesses_) {
      if (access.flows == 0) continue;
      const bool alike = last != nullptr && last->flows == access.flows && last->residual == access.residual;
      access.share =
          alike ? last->share
                : Fraction::reduced(access.residual.numerator, Wide{access.residual.denominator} * access.flows);
      last = &access;
    }
  }

  static void take(Access& access, const Fraction& rate, std::uint32_t flows) {
    const Wide left = Wide{access.residual.numerator} * rate.denominator;
    const Wide taken = Wide{rate.numerator} * flows * access.residual.denominator;
    access.residual =
        Fraction::reduced(left > taken ? left - taken : 0, Wide{access.residual.denominator} * rate.denominator);
    access.flows -= flows;
  }

  const Fabric& fabric_;
  std::vector<Place> out_, in_;  // [endpoints]
  std::vector<Access> accesses_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends_;  // [flows] accesses
  bool several_ports_ = false;
};

// The fractions as integers over one common unit, if they fit 16 bits; else rounded up to 16 bits.
Weights to_integers(std::span<const Fraction> rates) {
  std::vector<Fraction> distinct;
  std::ranges::unique_copy(rates, std::back_inserter(distinct));
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  Weights weights;
  Wide common = 1;
  bool exact = true;
  for (const Fraction& rate : distinct) {
    common = common / greatest_divisor(common, rate.denominator) * rate.denominator;
    exact &= common < (Wide{1} << 60U);
    if (!exact) break;
  }
  const auto over_common = [&](const Fraction& rate) { return Wide{rate.numerator} * (common / rate.denominator); };
  Wide divisor = 0;
  if (exact)
    for (const Fraction& rate : distinct) divisor = greatest_divisor(over_common(rate), divisor);
  exact = exact && divisor > 0 && over_common(distinct.back()) / divisor <= kMaxWeight;
  const Fraction most = distinct.back();
  weights.rounded = !exact;
  const auto integer = [&](const Fraction& rate) {
    if (exact) return static_cast<std::uint32_t>(over_common(rate) / divisor);
    const Fraction share =
        Fraction::reduced(Wide{rate.numerator} * most.denominator, Wide{rate.denominator} * most.numerator);
    const Wide rounded_up = (Wide{share.numerator} * kMaxWeight + share.denominator - 1) / share.denominator;
    return std::clamp<std::uint32_t>(static_cast<std::uint32_t>(rounded_up), 1, kMaxWeight);
  };
  weights.values.reserve(rates.size());
  for (std::size_t f = 0; f < rates.size(); ++f)
    weights.values.push_back(f > 0 && rates[f] == rates[f - 1] ? weights.values.back() : integer(rates[f]));
  const std::uint32_t heaviest = *std::max_element(weights.values.begin(), weights.values.end());
  weights.unit_bps = static_cast<double>(most.numerator) / static_cast<double>(most.denominator) / heaviest;
  return weights;
}

Weights weigh_alike(const Fabric& fabric, std::span<const FlowSpec> flows, std::uint32_t num_jobs,
                    const ProblemOptions& options) {
  if (options.weights == WeightMode::demand) {
    std::vector<Fraction> rates(flows.size());
    JobFiller filler(fabric);
    for (std::size_t begin = 0, end = 0; begin < flows.size(); begin = end) {
      while (end < flows.size() && flows[end].job == flows[begin].job) ++end;
      filler.fill(flows.subspan(begin, end - begin), std::span(rates).subspan(begin, end - begin));
    }
    // An access link that is down gives no rate; such a flow is reported as unreachable later.
    for (Fraction& rate : rates)
      if (rate.numerator == 0) rate = {1, 1};
    return to_integers(rates);
  }
  Weights weights;
  weights.values.assign(flows.size(), 1);
  if (options.weights == WeightMode::hash) {
    const std::uint32_t range = options.hash_highest - options.hash_lowest + 1;
    for (std::size_t f = 0; f < flows.size(); ++f)
      weights.values[f] = options.hash_lowest + util::random_below(util::random_at(options.seed, num_jobs, f), range);
  }
  const std::uint32_t heaviest = *std::max_element(weights.values.begin(), weights.values.end());
  std::uint64_t fastest = 0;
  for (const Link& link : fabric.links()) fastest = std::max(fastest, link.capacity_bps);
  weights.unit_bps = static_cast<double>(fastest) / heaviest;
  return weights;
}

// Where the products do not fit 16 bits they are rounded up to 16.
void multiply(Weights& weights, std::span<const std::uint32_t> factors) {
  std::uint64_t most = 0, divisor = 0;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const std::uint64_t product = std::uint64_t{weights.values[f]} * factors[f];
    most = std::max(most, product);
    divisor = std::gcd(divisor, product);
  }
  const std::uint64_t scale = (most + kMaxWeight * divisor - 1) / (kMaxWeight * divisor) * divisor;
  weights.rounded = weights.rounded || scale > divisor;
  for (std::size_t f = 0; f < factors.size(); ++f)
    weights.values[f] = static_cast<std::uint32_t>((std::uint64_t{weights.values[f]} * factors[f] + scale - 1) / scale);
  weights.unit_bps *= static_cast<double>(scale) / *std::ranges::max_element(factors);
}

}  // namespace

Weights weigh_flows(const Fabric& fabric, std::span<const FlowSpec> flows, std::uint32_t num_jobs,
                    const ProblemOptions& options) {
  Weights weights = weigh_alike(fabric, flows, num_jobs, options);
  if (options.factors.empty()) return weights;
  if (options.factors.size() != flows.size() || std::ranges::find(options.factors, 0U) != options.factors.end())
    throw Error(ErrorCode::bad_input, fmt::format("{} factors of weights for {} flows; expected one of at least 1 each",
                                                  options.factors.size(), flows.size()));
  multiply(weights, options.factors);
  return weights;
}

}  // namespace spineweave
