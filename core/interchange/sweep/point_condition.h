#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/interchange/python/syntax/syntax.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A condition on the points of a sweep: an expression in Python's notation over the paths that they set and
/// the figures that came out, "training.batch_size * replicas == 1024", "peak_bytes < 500e6 and fits".
class PointCondition {
public:
    /// The value of a path or figure; null where a point does not set the path.
    using Values = std::function<Json(const std::string& name)>;

    /// Errors: "sweep/condition" with `place` where the text is no such expression.
    [[nodiscard]] static Result<PointCondition> parse(std::string_view text, const std::string& file,
                                                      const std::string& place);

    [[nodiscard]] const std::string& text() const { return m_text; }
    /// Every name in it, "training.batch_size".
    [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }
    /// Whether any of the names is a figure, so that it can only be asked of a simulated point.
    [[nodiscard]] bool needsFigures() const;
    /// False, 0, null and an empty text do not hold. Comparing or computing with null does not hold either.
    [[nodiscard]] bool holds(const Values& values) const;

private:
    PointCondition(std::string text, PythonExpression expression);

    std::string m_text;
    PythonExpression m_expression;
    std::vector<std::string> m_names;
};

/// The figures of a simulated point that conditions may name, as the JSON of `sweep` calls them.
[[nodiscard]] std::span<const std::string_view> pointFigures();

} // namespace core
