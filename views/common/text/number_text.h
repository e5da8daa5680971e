#pragma once

#include "core/base/quantity.h"
#include "core/model/shape.h"

#include <QString>
#include <cstdint>

namespace views {

// Every number that users read is written here.

enum class TimeUnit : std::uint8_t { Time, Cycles, PercentOfStep };
enum class ByteUnit : std::uint8_t { KiB, Kilobyte, Byte };

/// The user\'s choice of units, the same in every view.
struct Units {
    TimeUnit time = TimeUnit::Time;
    ByteUnit bytes = ByteUnit::KiB;

    bool operator==(const Units&) const = default;
};

/// What turns cycles into what users read.
struct TimeScale {
    double clockHz = 0;
    core::Cycles step;
};

/// A number and its unit, apart: the unit is muted beside the number or is in a header.
struct NumberText {
    QString value;
    QString unit;

    [[nodiscard]] QString joined() const;
};

/// U+202F, between groups of three digits and before a unit.
inline constexpr QChar thinSpace{0x202F};

/// "1 415 120".
[[nodiscard]] QString groupedText(std::int64_t value);
/// Fixed decimals, grouped: "7 326.4". "–" for what is not finite.
[[nodiscard]] QString fixedText(double value, int decimals);
/// Signed, with a real minus sign: "+12.5", "−3.0", "±0.0".
[[nodiscard]] QString signedText(double value, int decimals);
/// Three significant digits at least, with as many decimals as that needs, at most 3: "0.125", "12.3", "1
/// 234".
[[nodiscard]] QString compactText(double value);
/// "25.64 M", "71.6 k", "312": for counts in tight places.
[[nodiscard]] NumberText countText(double value);
[[nodiscard]] QString percentText(double fraction, int decimals = 1);

/// A unit and what one of it is worth, so that a column or an axis keeps one.
struct UnitChoice {
    QString name;
    double factor = 1; ///< quantity × factor = number in this unit
    int decimals = 0;
};

/// The unit in which `largest` reads well (123.4 rather than 0.12 or 123 400).
[[nodiscard]] UnitChoice byteUnitFor(core::Bytes largest, ByteUnit preference);
[[nodiscard]] UnitChoice timeUnitFor(core::Cycles largest, TimeUnit preference, const TimeScale& scale);
[[nodiscard]] NumberText inUnit(std::int64_t quantity, const UnitChoice& unit);

[[nodiscard]] NumberText bytesText(core::Bytes bytes, ByteUnit preference);
/// Cycles as the user wants to read them; plain cycles where the clock or the step is not known.
[[nodiscard]] NumberText timeText(core::Cycles cycles, TimeUnit preference, const TimeScale& scale);
/// "3.29 GFLOP".
[[nodiscard]] NumberText flopsText(core::Flops flops);
/// "41 s", "2 min 5 s", "1 h 20 min".
[[nodiscard]] QString durationText(double seconds);

/// "1 layer", "44 layers".
[[nodiscard]] QString countedText(std::int64_t count, const QString& one, const QString& many);

/// "28×28×128", "?×10" for a free axis; `skipBatch` leaves the first axis out.
[[nodiscard]] QString shapeText(const core::Shape& shape, bool skipBatch = false);

/// Text of core is UTF-8.
[[nodiscard]] inline QString toQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace views
