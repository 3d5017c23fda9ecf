// The page's style sheet. Before is amber and after is blue, which every kind of colour vision tells
// apart; both have a second value for dark screens.
#include "report/html.hpp"

namespace spineweave::report {

std::string_view page_style() {
  return R"css(:root {
  --page: #f6f7f9; --panel: #ffffff; --edge: #e1e5ea; --text: #17202b; --soft: #5c6878;
  --before: #d98324; --after: #2468b4; --good: #177245; --bad: #b3261e; --fair: #8a5a00; --over: #fdf0e6;
  --good-back: #e3f4ea; --fair-back: #fdf1d8; --open-back: #fbe6e4; --dead: #9aa3ae;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f141a; --panel: #171d25; --edge: #2a333f; --text: #e4e9ef; --soft: #97a3b3;
    --before: #eba04a; --after: #62a8f0; --good: #5cc98e; --bad: #ff8a80; --fair: #e9b949; --over: #2a2119;
    --good-back: #16301f; --fair-back: #322711; --open-back: #3a1d1b; --dead: #5d6773;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 28px 24px 48px; }
.brand { margin: 0; color: var(--soft); font-size: 12px; font-weight: 600; letter-spacing: .08em; text-transform: uppercase; }
h1 { margin: 4px 0 6px; font-size: 25px; line-height: 1.3; font-weight: 650; }
h2 { margin: 0 0 4px; font-size: 18px; font-weight: 650; }
h3 { margin: 14px 0 6px; font-size: 13px; font-weight: 600; color: var(--soft); }
p { margin: 0 0 10px; }
.inputs { color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
.hint { color: var(--soft); font-size: 13px; }
section, .card { background: var(--panel); border: 1px solid var(--edge); border-radius: 10px; }
section { margin-top: 16px; padding: 18px 20px; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 14px; margin-top: 16px; }
.card { padding: 14px 18px; }
.label { color: var(--soft); font-size: 13px; }
.now { font-size: 26px; font-weight: 650; font-variant-numeric: tabular-nums; line-height: 1.35; }
.now.good, .good { color: var(--good); }
.bad { color: var(--bad); }
.was { color: var(--soft); font-size: 13px; }
.was b { color: var(--before); }
.certificate p { margin: 0; }
.certificate { display: flex; gap: 14px; align-items: baseline; }
.badge { display: inline-block; margin-right: 6px; padding: 2px 11px; border-radius: 20px; font-size: 13px; font-weight: 600;
  white-space: nowrap; }
.badge.good { background: var(--good-back); color: var(--good); }
.badge.fair { background: var(--fair-back); color: var(--fair); }
.badge.open { background: var(--open-back); color: var(--bad); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 0; margin: 2px 0 12px; font-size: 12px; color: var(--soft); }
.legend span { text-align: center; min-width: 58px; }
.legend i { display: block; height: 12px; margin-bottom: 2px; }
.legend .apart { margin-left: 18px; }
.directions { display: flex; flex-wrap: wrap; gap: 8px 32px; margin-bottom: 14px; }
.pair { display: flex; flex-wrap: wrap; gap: 12px; }
figure { margin: 0; }
figcaption { margin-top: 3px; font-size: 12px; color: var(--soft); }
figcaption .before { color: var(--before); }
figcaption .after { color: var(--after); }
.strips figure { margin-bottom: 12px; }
canvas { display: block; image-rendering: pixelated; }
#tip { position: fixed; display: none; pointer-events: none; z-index: 2; padding: 7px 11px; border-radius: 7px; font-size: 13px;
  background: var(--text); color: var(--page); white-space: pre; line-height: 1.4; }
.keys { color: var(--soft); font-size: 13px; }
.keys span { margin-right: 22px; }
.key { display: inline-block; width: 11px; height: 11px; margin-right: 6px; border-radius: 3px; }
.key.before { background: var(--before); }
.key.after { background: var(--after); }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--text); font-size: 12px; font-variant-numeric: tabular-nums; }
svg .tick, svg .hint { fill: var(--soft); }
svg .tick, svg .value { text-anchor: middle; }
svg .value { font-size: 11px; paint-order: stroke; stroke: var(--panel); stroke-width: 3px; }
svg .name, svg .number { text-anchor: end; }
svg .grid, svg .axis { stroke: var(--edge); }
svg .over { fill: var(--over); }
svg rect.before, svg circle.before { fill: var(--before); }
svg rect.after, svg circle.after { fill: var(--after); }
svg .bar { stroke: var(--soft); stroke-opacity: .45; stroke-width: 3; }
svg .line { fill: none; stroke-width: 2.5; }
svg .line.before { stroke: var(--before); }
svg .line.after { stroke: var(--after); }
details { margin-top: 10px; }
summary { cursor: pointer; color: var(--soft); font-size: 13px; }
.scroll { max-height: 480px; overflow: auto; }
table { border-collapse: collapse; margin-top: 8px; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 14px; text-align: right; border-bottom: 1px solid var(--edge); }
th:first-child, td:first-child { text-align: left; padding-left: 0; overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 600; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); gap: 0 32px; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 16px; margin: 0; font-size: 13px; }
dt { color: var(--soft); }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
ul { margin: 0 0 10px; padding-left: 20px; font-size: 13px; }
)css";
}

}  // namespace spineweave::report
