// The link-load pictures: canvases, and the bytes that the page's script paints them from.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/heat_map.hpp"
#include "report/html.hpp"
#include "report/numbers.hpp"
#include "report/sections.hpp"

namespace spineweave::report {
namespace {

// Utilisation travels in thousandths; the two largest values mean something else.
constexpr std::uint16_t kHole = 0xffff;
constexpr std::uint16_t kDead = 0xfffe;
constexpr std::uint16_t kFullest = 0xfffd;

template <class T>
std::string encode(const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(values.size() * sizeof(T));
  for (const T value : values)
    for (std::size_t b = 0; b < sizeof(T); ++b) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * b)));
  return base64(bytes);
}

// Collects the pictures' data as one script literal, and the names of the nodes that it speaks of.
class Canvases {
 public:
  explicit Canvases(const Fabric& fabric) : fabric_(fabric), name_of_node_(fabric.num_nodes(), kNone) {}

  // The canvas for a picture.
  std::string add(const Picture& picture, const LinkLoads& loads, const std::string& label) {
    std::vector<std::uint16_t> utilisation, flows;
    std::vector<std::uint32_t> from, to;
    std::vector<std::uint8_t> parallel;
    for (const LinkId id : picture.shown) {
      const bool is_hole = id == kNone;
      const Link link = is_hole ? Link{} : fabric_.link(id);
      utilisation.push_back(is_hole ? kHole : is_dead(fabric_, id) ? kDead : thousandths(loads.utilisation[id]));
      flows.push_back(is_hole ? std::uint16_t{0} : static_cast<std::uint16_t>(std::min(loads.flows[id], 0xffffU)));
      from.push_back(is_hole ? 0 : name_index(link.from));
      to.push_back(is_hole ? 0 : name_index(link.to));
      parallel.push_back(static_cast<std::uint8_t>(std::min(link.parallel, 0xffU)));
    }
    pictures_ += fmt::format(
        "{}{{rows:{},columns:{},block:{},utilisation:\"{}\",flows:\"{}\",from:\"{}\",to:\"{}\",parallel:\"{}\"}}",
        pictures_.empty() ? "" : ",\n", picture.rows, picture.columns, picture.rows_per_cell * picture.columns_per_cell,
        encode(utilisation), encode(flows), encode(from), encode(to), encode(parallel));
    return fmt::format("<canvas data-picture=\"{}\" role=\"img\" aria-label=\"{}\"></canvas>", count_++,
                       escape_html(label));
  }

  [[nodiscard]] std::string script(double fullest) const {
    return fmt::format("<script>const linkLoads={{fullest:{:.3f},names:[{}],pictures:[\n{}]}};</script>\n", fullest,
                       names_, pictures_);
  }

 private:
  static std::uint16_t thousandths(double utilisation) {
    // What fixed point lifted a little above full is full.
    if (!above_one(utilisation)) utilisation = std::min(utilisation, 1.0);
    return static_cast<std::uint16_t>(std::min<double>(kFullest, std::round(utilisation * 1000)));
  }

  std::uint32_t name_index(NodeId node) {
    if (name_of_node_[node] == kNone) {
      name_of_node_[node] = num_names_++;
      names_ += (names_.empty() ? "" : ",") + script_string(fabric_.node(node).name);
    }
    return name_of_node_[node];
  }

  const Fabric& fabric_;
  std::vector<std::uint32_t> name_of_node_;
  std::uint32_t num_names_ = 0;
  std::uint32_t count_ = 0;
  std::string names_, pictures_;
};

double fullest(const LinkGrid& grid, const LinkLoads& loads) {
  double most = 0;
  for (const LinkId link : grid.links)
    if (link != kNone) most = std::max(most, loads.utilisation[link]);
  return most;
}

std::string figure(const Side& side, const std::string& canvas, double most) {
  return fmt::format("<figure>{}<figcaption><b class=\"{}\">{}</b> fullest {}</figcaption></figure>\n", canvas,
                     side.css_class, escape_html(side.name), percent(most));
}

std::string clos_maps(const std::vector<HeatMap>& maps, const Fabric& fabric, const std::vector<Side>& sides,
                      Canvases& canvases) {
  std::string html;
  for (const HeatMap& map : maps) {
    std::string directions;
    Picture picture;
    for (const LinkGrid* grid : {&map.up, &map.down}) {
      directions += fmt::format("<div class=\"direction\"><h3>{}</h3><div class=\"pair\">\n", escape_html(grid->title));
      for (const Side& side : sides) {
        picture = shrink(*grid, fabric, side.loads);
        const std::string label = fmt::format("{}, {}: link loads", grid->title, side.name);
        directions += figure(side, canvases.add(picture, side.loads, label), fullest(*grid, side.loads));
      }
      directions += "</div></div>\n";
    }
    html += fmt::format("<p class=\"hint\">Rows: {} {} ({} to {}). Columns: {} {}.", count(map.up.rows), map.row_noun,
                        escape_html(map.first_row), escape_html(map.last_row), count(map.up.columns), map.column_noun);
    if (picture.rows_per_cell > 1 || picture.columns_per_cell > 1)
      html += fmt::format(" Each cell stands for {} x {} links and shows the fullest of them{}.", picture.rows_per_cell,
                          picture.columns_per_cell,
                          sides.front().links.dead > 0 ? "; it shows down where all of them are" : "");
    html += "</p>\n<div class=\"directions\">" + directions + "</div>\n";
  }
  return html;
}

std::string strip_maps(const Fabric& fabric, const std::vector<Side>& sides, Canvases& canvases) {
  std::string html = "<div class=\"strips\">\n";
  Picture picture;
  for (const Side& side : sides) {
    picture = sorted_strip(fabric, side.loads);
    const std::string label = fmt::format("{}: links by load", side.name);
    html += figure(side, canvases.add(picture, side.loads, label), side.links.max_utilisation);
  }
  html += "</div>\n";
  const std::string block =
      picture.columns_per_cell > 1
          ? fmt::format(" Each cell stands for {} links and shows the fullest.", picture.columns_per_cell)
          : "";
  return fmt::format(
      "<p class=\"hint\">The fabric has no grid of tiers: its links stand in one row, the fullest first.{}</p>\n{}",
      block, html);
}

std::string fullest_links_table(const Fabric& fabric, const std::vector<Side>& sides) {
  constexpr std::size_t most_rows = 10;
  const Side& now = sides.back();
  std::vector<LinkId> links = counted_links(fabric);
  std::erase_if(links, [&](LinkId link) { return is_dead(fabric, link); });
  const std::size_t rows = std::min(most_rows, links.size());
  std::ranges::partial_sort(links, links.begin() + static_cast<std::ptrdiff_t>(rows), {}, [&](LinkId link) {
    return std::pair{-now.loads.utilisation[link], link};
  });
  std::string html = "<details><summary>The fullest links</summary>\n<table><tr><th>link</th><th>capacity, Gbit/s</th>";
  for (const Side& side : sides) html += fmt::format("<th>demand, {0}</th><th>flows, {0}</th>", escape_html(side.name));
  html += "</tr>\n";
  for (std::size_t i = 0; i < rows; ++i) {
    html += fmt::format("<tr><td>{}</td><td>{}</td>", escape_html(fabric.link_name(links[i])),
                        gbps(static_cast<double>(fabric.link(links[i]).capacity_bps)));
    for (const Side& side : sides)
      html += fmt::format("<td>{}</td><td>{}</td>", percent(side.loads.utilisation[links[i]]),
                          count(side.loads.flows[links[i]]));
    html += "</tr>\n";
  }
  return html + "</table></details>\n";
}

}  // namespace

std::string heat_map_section(const Report& report, const std::vector<Side>& sides) {
  const Fabric& fabric = report.problem->fabric();
  const std::vector<HeatMap> maps = lay_out_heat_maps(fabric);
  Canvases canvases(fabric);
  double most = 1.0;
  for (const Side& side : sides) most = std::max(most, side.links.max_utilisation);
  const std::string pictures =
      maps.empty() ? strip_maps(fabric, sides, canvases) : clos_maps(maps, fabric, sides, canvases);
  const std::uint32_t dead = sides.front().links.dead;
  return fmt::format(
      "<section><h2>Link loads</h2>\n<p>What the flows demand of each link, as a share of its capacity, in its busiest "
      "phase. Links above 100 % slow their flows.{}</p>\n<div class=\"legend\" id=\"legend\"></div>\n"
      "<noscript><p class=\"hint\">The pictures below need scripts; every number of this page does "
      "not.</p></noscript>\n"
      "{}{}</section>\n{}",
      dead > 0 ? fmt::format(" {} down.", dead == 1 ? "1 link is" : count(dead) + " links are") : "", pictures,
      fullest_links_table(fabric, sides), canvases.script(most));
}

}  // namespace spineweave::report
