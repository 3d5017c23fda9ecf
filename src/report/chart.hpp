// Charts as SVG pictures: scales, a grid, curves, a key.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spineweave::report {

// From a value to its place in the picture.
class Scale {
 public:
  [[nodiscard]] static Scale linear(double least, double most, double begin, double end);
  [[nodiscard]] static Scale logarithmic(double least, double most, double begin, double end);  // 0 < least < most

  [[nodiscard]] double place(double value) const;
  [[nodiscard]] double least() const { return least_; }
  [[nodiscard]] double most() const { return most_; }

  struct Tick {
    double value;
    int leading;  // logarithmic: the first digit, 1 to 9; linear: 1
  };
  // Linear: multiples of 1, 2 or 5 times a power of ten, up to about eight. Logarithmic: each digit of each decade.
  [[nodiscard]] std::vector<Tick> ticks() const;
  [[nodiscard]] bool is_logarithmic() const { return logarithmic_; }

 private:
  double least_ = 0, most_ = 1, begin_ = 0, end_ = 1;
  bool logarithmic_ = false;
};

// What the curves lie in, in pixels.
struct PlotArea {
  double left = 0, right = 0, top = 0, bottom = 0;
};

using Label = std::function<std::string(double)>;
struct ChartAxis {
  std::string title;
  Scale scale;
  Label label;
};

// The picture's first lines, with the style of all that this file draws; `style` is added. close_picture ends it.
[[nodiscard]] std::string open_picture(double width, double height, std::string_view title, std::string_view subtitle,
                                       std::string_view style = {});
[[nodiscard]] std::string close_picture();

// Lines, labels and titles of both axes. Labels of a logarithmic axis stand at 1, and at 2 and 5 where it spans
// three decades at most.
[[nodiscard]] std::string draw_grid(const PlotArea& area, const ChartAxis& x, const ChartAxis& y);
[[nodiscard]] std::string draw_frame(const PlotArea& area);

struct Curve {
  std::string name;
  std::string value;  // beside the name in the key
  std::string color;
  std::vector<std::pair<double, double>> points;
  bool in_steps = false;  // holds each value until the next point
};
[[nodiscard]] std::string draw_curve(const Curve& curve, const ChartAxis& x, const ChartAxis& y);

struct KeyRow {
  std::string name, value;
  std::string color;
  bool dashed = false;
};
// A box with a line for each row, from its upper left corner on; `heading` may be empty.
[[nodiscard]] std::string draw_key(double left, double top, double width, std::string_view heading,
                                   const std::vector<KeyRow>& rows);

}  // namespace spineweave::report
