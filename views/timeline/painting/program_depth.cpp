#include "views/timeline/painting/program_depth.h"

#include "core/profile/queries/program_queries.h"
#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/profile/time/span_painter.h"

#include <algorithm>
#include <array>

namespace views {

namespace {

constexpr std::string_view streamsName = "Streams of remote memory";

Activity activityOfStep(core::StepKind kind, Activity compute) {
    switch (kind) {
    case core::StepKind::DoExchange:
    case core::StepKind::GlobalExchange:
        return Activity::Exchange;
    case core::StepKind::StreamCopy:
        return Activity::Host;
    case core::StepKind::Sync:
        return Activity::Sync;
    default:
        return compute;
    }
}

/// Appends a piece, or makes the last one longer where it goes on.
void extend(std::vector<DepthPiece>& pieces, DepthPiece piece) {
    const bool goesOn = !pieces.empty() && pieces.back().name == piece.name &&
                        pieces.back().start + pieces.back().duration >= piece.start;
    if (goesOn)
        pieces.back().duration =
            std::max(pieces.back().start + pieces.back().duration, piece.start + piece.duration) -
            pieces.back().start;
    else
        pieces.push_back(std::move(piece));
}

/// What a program copies on its tiles and streams from remote memory, for no operation: at its begin or end.
core::Result<void> addCopies(const core::ProfileDatabase& database, core::RunId run,
                             std::map<core::TraceProgram, std::vector<core::TraceOperation>>& programs) {
    const auto steps = core::loadProgram(database, run);
    if (!steps)
        return core::failure(steps.error());
    for (const core::ProgramStepRecord& step : *steps) {
        const bool isLeaf = step.kind != core::StepKind::Sequence && step.kind != core::StepKind::Repeat &&
                            step.kind != core::StepKind::Switch && step.kind != core::StepKind::Call;
        if (!isLeaf || !step.phase || step.operation.isValid() || step.duration <= core::Cycles())
            continue;
        const auto program = programs.find({step.stage, *step.phase});
        if (program == programs.end())
            continue;
        const bool isStream = step.kind == core::StepKind::StreamCopy;
        program->second.push_back({step.label.str(),
                                   std::string(isStream ? streamsName : core::localCopiesName), step.kind,
                                   step.start, step.duration});
    }
    for (auto& [program, inTime] : programs)
        std::ranges::stable_sort(inTime, {}, &core::TraceOperation::start);
    return {};
}

const std::vector<DepthPiece>& piecesOf(const ProgramDepth& depth, DepthLevel level) {
    return depth[static_cast<std::size_t>(level)];
}

const ProgramDepth* depthOf(const ProgramDepths& depths, const core::SpanRecord& span) {
    const auto phase = core::programPhaseOf(span.kind);
    const auto found = phase ? depths.find({span.stage, *phase}) : depths.end();
    return found == depths.end() ? nullptr : &found->second;
}

/// Paints the pieces of one level of one span.
class LevelPainter {
public:
    LevelPainter(QPainter& painter, const DepthPlace& place, const Theme& theme)
        : m_painter(painter)
        , m_place(place)
        , m_theme(theme)
        , m_perCycle((place.toX - place.fromX) /
                     std::max(1.0, static_cast<double>(place.span->duration.value())))
        , m_compute(activityOf(place.span->kind).value_or(Activity::Forward))
        , m_layerFill(mix(theme.color(Role::Canvas), theme.activity(m_compute), 0.66))
        , m_operationFill(mix(theme.color(Role::Canvas), theme.activity(m_compute), 0.44)) {}

    void paint(const std::vector<DepthPiece>& pieces, DepthLevel level, const QRectF& box,
               const std::set<std::string>& framed) {
        const core::Cycles first = cyclesAt(m_place.rect.left());
        auto piece = std::upper_bound(pieces.begin(), pieces.end(), first,
                                      [](core::Cycles at, const DepthPiece& one) { return at < one.start; });
        if (piece != pieces.begin())
            --piece;
        double painted = m_place.rect.left();
        for (; piece != pieces.end() && xOf(piece->start) <= m_place.rect.right(); ++piece) {
            const double left = std::max(xOf(piece->start), m_place.rect.left());
            const double right = std::min(xOf(piece->start + piece->duration), m_place.rect.right());
            // Of pieces narrower than a pixel those that begin on a new one are drawn.
            if (right - left < 0.7 && right < painted + 0.7)
                continue;
            painted = right;
            paintPiece(*piece, level, QRectF(left, box.top(), std::max(0.7, right - left), box.height()),
                       level != DepthLevel::Step && framed.contains(piece->name));
        }
    }

private:
    [[nodiscard]] double xOf(core::Cycles inProgram) const {
        return m_place.fromX + static_cast<double>((inProgram - m_place.span->offset).value()) * m_perCycle;
    }
    [[nodiscard]] core::Cycles cyclesAt(double x) const {
        return m_place.span->offset +
               core::Cycles(static_cast<std::int64_t>(std::max(0.0, x - m_place.fromX) / m_perCycle));
    }

    [[nodiscard]] QColor fillOf(const DepthPiece& piece, DepthLevel level) const {
        // Paler by depth; steps have the colours of what they do.
        if (level == DepthLevel::Step)
            return m_theme.activity(activityOfStep(piece.kind, m_compute));
        const bool isLayer = level == DepthLevel::Layer;
        if (m_place.isByLayer)
            return mix(m_theme.color(Role::Canvas), m_theme.stage(colourIndexOf(piece.name)),
                       isLayer ? 0.55 : 0.36);
        return isLayer ? m_layerFill : m_operationFill;
    }

    void paintPiece(const DepthPiece& piece, DepthLevel level, const QRectF& rect, bool isFramed) {
        const QRectF inner = rect.width() > 3 ? rect.adjusted(0, 0, -m_theme.frameWidth(), 0) : rect;
        m_painter.fillRect(inner, fillOf(piece, level));
        if (isFramed) {
            m_painter.setPen(QPen(m_theme.color(Role::Accent), 2));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawRect(inner.adjusted(1, 1, -1, -1));
        }
        if (level != DepthLevel::Step && rect.height() >= m_theme.px(11))
            paintName(
                piece, level,
                inner.adjusted(std::max(m_theme.px(3), m_place.namesFrom + m_theme.px(3) - inner.left()), 0,
                               -m_theme.px(3), 0));
    }

    /// An operation stands below its layer, so its own part of the name is enough. A name of which little is
    /// left says nothing.
    void paintName(const DepthPiece& piece, DepthLevel level, const QRectF& rect) {
        // Shorter than the shortest name.
        if (rect.width() < m_theme.px(3))
            return;
        const QFont font = m_theme.font(10);
        const std::size_t own =
            level == DepthLevel::Operation && piece.hasOperation ? piece.name.rfind('/') : std::string::npos;
        const QString name =
            QString::fromStdString(own == std::string::npos ? piece.name : piece.name.substr(own + 1));
        if (rect.width() < std::min(textWidth(name, font), m_theme.px(56)))
            return;
        m_painter.setPen(m_theme.color(Role::Text));
        paintElided(m_painter, rect, Qt::AlignVCenter | Qt::AlignLeft, name, font);
    }

    QPainter& m_painter;
    const DepthPlace& m_place;
    const Theme& m_theme;
    double m_perCycle;
    Activity m_compute;
    QColor m_layerFill;
    QColor m_operationFill;
};

} // namespace

core::Result<ProgramDepths> loadProgramDepths(const core::ProfileDatabase& database, core::RunId run) {
    auto programs = core::loadTraceOperations(database, run);
    if (!programs)
        return core::failure(programs.error());
    if (const core::Result<void> added = addCopies(database, run, *programs); !added)
        return core::failure(added.error());
    ProgramDepths depths;
    for (const auto& [program, steps] : *programs) {
        ProgramDepth& depth = depths[program];
        for (const core::TraceOperation& step : steps) {
            const bool isCopy = step.layer == streamsName || step.layer == core::localCopiesName;
            const auto piece = [&](const std::string& name) {
                return DepthPiece{name, step.kind, step.start, step.duration, !isCopy};
            };
            extend(depth[static_cast<std::size_t>(DepthLevel::Layer)],
                   piece(step.layer.empty() ? step.name : step.layer));
            // Hundreds of copies, each far narrower than a pixel, are one piece.
            extend(depth[static_cast<std::size_t>(DepthLevel::Operation)],
                   piece(isCopy ? step.layer : step.name));
            depth[static_cast<std::size_t>(DepthLevel::Step)].push_back(
                piece(std::string(core::toString(step.kind))));
        }
    }
    return depths;
}

core::Result<OperationsByName> loadOperationsByName(const core::ProfileDatabase& database, core::RunId run) {
    auto operations = core::loadOperations(database, run);
    if (!operations)
        return core::failure(operations.error());
    OperationsByName byName;
    for (core::OperationRecord& operation : *operations) {
        std::string name = operation.name.str();
        byName.try_emplace(std::move(name), std::move(operation));
    }
    return byName;
}

std::vector<DepthPiece> piecesWithin(const ProgramDepths& depths, const core::SpanRecord& span,
                                     DepthLevel level, core::Cycles from, core::Cycles to) {
    const ProgramDepth* depth = depthOf(depths, span);
    if (depth == nullptr)
        return {};
    const std::vector<DepthPiece>& pieces = piecesOf(*depth, level);
    const auto first = std::ranges::lower_bound(pieces, from, {}, &DepthPiece::start);
    const auto last = std::ranges::lower_bound(first, pieces.end(), to, {}, &DepthPiece::start);
    return {first, last};
}

std::optional<DepthBoxes> depthBoxes(const QRectF& span, const Theme& theme) {
    const double narrowest = theme.px(48);
    // The frame of a lane and the padding of a box take a little of the height.
    if (span.height() < theme.px(depthHeight) - theme.px(4) || span.width() < narrowest)
        return std::nullopt;
    constexpr std::array<double, depthLevelCount> shares{0.42, 0.40, 0.18};
    const double gap = theme.px(1);
    DepthBoxes boxes;
    boxes.label = QRectF(span.left(), span.top(), span.width(), theme.px(17));
    const double space = span.height() - boxes.label.height() - gap * depthLevelCount;
    double top = boxes.label.bottom() + gap;
    for (std::size_t level = 0; level < depthLevelCount; ++level) {
        boxes.levels[level] = QRectF(span.left(), top, span.width(), shares[level] * space);
        top += shares[level] * space + gap;
    }
    return boxes;
}

bool paintDepth(QPainter& painter, const ProgramDepths& depths, const DepthPlace& place,
                const std::set<std::string>& names, const Theme& theme) {
    const ProgramDepth* depth = depthOf(depths, *place.span);
    const auto boxes = depthBoxes(place.rect, theme);
    if (depth == nullptr || !boxes || piecesOf(*depth, DepthLevel::Step).empty())
        return false;
    LevelPainter level(painter, place, theme);
    for (std::size_t i = 0; i < depthLevelCount; ++i)
        level.paint((*depth)[i], static_cast<DepthLevel>(i), boxes->levels[i], names);
    return true;
}

std::optional<DepthHit> depthAt(const ProgramDepths& depths, const DepthPlace& place, const QPointF& point,
                                const Theme& theme) {
    const ProgramDepth* depth = depthOf(depths, *place.span);
    const auto boxes = depthBoxes(place.rect, theme);
    if (depth == nullptr || !boxes)
        return std::nullopt;
    const double share = (point.x() - place.fromX) / std::max(1.0, place.toX - place.fromX);
    const core::Cycles at =
        place.span->offset +
        core::Cycles(static_cast<std::int64_t>(std::clamp(share, 0.0, 1.0) *
                                               static_cast<double>(place.span->duration.value())));
    DepthHit hit;
    for (std::size_t i = 0; i < depthLevelCount; ++i) {
        if (point.y() >= boxes->levels[i].top() && point.y() <= boxes->levels[i].bottom())
            hit.level = static_cast<DepthLevel>(i);
        const std::vector<DepthPiece>& pieces = (*depth)[i];
        auto piece =
            std::upper_bound(pieces.begin(), pieces.end(), at,
                             [](core::Cycles time, const DepthPiece& one) { return time < one.start; });
        if (piece != pieces.begin() && at < std::prev(piece)->start + std::prev(piece)->duration)
            hit.pieces[i] = *std::prev(piece);
    }
    return hit;
}

} // namespace views
