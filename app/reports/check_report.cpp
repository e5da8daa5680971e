#include "app/reports/check_report.h"

#include "app/reports/report_table.h"
#include "core/base/fingerprint.h"
#include "core/text/markup_text.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {

namespace {

/// Of a check that failed: some limits are a most, others a least.
std::string failureText(const Check& check) {
    if (!check.reason.empty())
        return check.reason;
    if (check.name == "fits")
        return "the project does not fit into memory";
    return fmt::format("{} is {:.6g}, {} {:.6g}", check.name, check.value,
                       check.value > check.limit ? "above" : "below", check.limit);
}

/// Without what a workflow command must not hold as it is: in data, and in properties also what ends them.
std::string workflowText(std::string_view text, bool isProperty) {
    std::string result;
    for (const char letter : core::visibleText(text)) {
        const bool isEscaped = letter == '%' || letter == '\r' || letter == '\n' ||
                               (isProperty && (letter == ':' || letter == ','));
        if (isEscaped)
            result += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
        else
            result += letter;
    }
    return result;
}

} // namespace

std::optional<bool> Check::isCertain() const {
    if (!interval || isLimitPredicted)
        return std::nullopt;
    const double low = value * interval->low;
    const double high = value * interval->high;
    return low > limit || high < limit;
}

Report checkReport(const std::vector<Check>& checks) {
    Report report;
    report.isNegative = std::ranges::any_of(checks, [](const Check& check) { return !check.isPassed; });
    report.json = reportJson("check");
    report.json["passed"] = !report.isNegative;
    constexpr auto right = TextTable::Align::Right;
    ReportTable table({{"name", TextTable::Align::Left, "check"},
                       {"limit", right},
                       {"value", right},
                       {"passed"},
                       {"value_low", right, "80 % from"},
                       {"value_high", right, "to"},
                       {"certain"}});
    const auto number = [](double value) {
        return ReportTable::Cell(finite(value), fmt::format("{:.6g}", value));
    };
    const ReportTable::Cell none{core::Json()};
    const auto yes = [](bool is) { return ReportTable::Cell(is, is ? "yes" : "no"); };
    for (const Check& check : checks) {
        const auto& interval = check.interval;
        const auto isCertain = check.isCertain();
        table.add({check.name, number(check.limit), number(check.value), yes(check.isPassed),
                   interval ? number(check.value * interval->low) : none,
                   interval ? number(check.value * interval->high) : none,
                   isCertain ? yes(*isCertain) : none});
    }
    table.writeTo(report, "checks");
    return report;
}

std::string junitText(const std::vector<Check>& checks, std::string_view project) {
    const auto failures = std::ranges::count(checks, false, &Check::isPassed);
    std::string text = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                   "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n",
                                   core::markupText(project), checks.size(), failures);
    for (const Check& check : checks) {
        text += fmt::format("  <testcase classname=\"check\" name=\"{}\"", check.name);
        text += check.isPassed ? "/>\n"
                               : fmt::format("><failure message=\"{}\"/></testcase>\n",
                                             core::markupText(failureText(check)));
    }
    return text + "</testsuite>\n";
}

std::vector<std::string> githubAnnotations(const std::vector<Check>& checks, std::string_view project) {
    std::vector<std::string> lines;
    for (const Check& check : checks) {
        if (!check.isPassed)
            lines.push_back(fmt::format("::error file={},title={}::{}", workflowText(project, true),
                                        workflowText("check " + check.name, true),
                                        workflowText(failureText(check), false)));
    }
    return lines;
}

std::string codeQualityText(const std::vector<Check>& checks, std::string_view project) {
    core::Json entries = core::Json::array();
    for (const Check& check : checks) {
        if (!check.isPassed)
            entries.push_back({{"description", failureText(check)},
                               {"check_name", check.name},
                               {"fingerprint", core::fingerprint(fmt::format("{}\n{}", project, check.name))},
                               {"severity", "major"},
                               {"location", {{"path", project}, {"lines", {{"begin", 1}}}}}});
    }
    return core::toText(entries);
}

} // namespace app
