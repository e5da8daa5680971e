#pragma once

#include "core/plan/plan_estimate.h"
#include "core/project/project.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/theme.h"

#include <QPainter>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

namespace views {

/// An IPU of a replica with the stages on it.
struct BoardIpu {
    std::size_t ipu = 0;
    std::vector<std::size_t> stages;
};

/// What leaves one IPU for another with each micro-batch.
struct BoardLink {
    std::size_t from = 0;
    std::size_t to = 0;
    core::Bytes bytes;
};

/// The simulated system with a plan on it: replicas of IPUs, the stages on each, and what crosses links.
struct SystemBoard {
    /// Of one replica; all have the same.
    std::vector<BoardIpu> ipus;
    std::vector<BoardLink> links;
    std::size_t stages = 0;
    std::size_t replicas = 1;
    std::string target;
    /// Stages of which every layer is locked.
    std::vector<bool> locked;
    std::optional<core::PlanEstimate> estimate;
};

/// `estimate`: of the project; nothing where there is none.
[[nodiscard]] SystemBoard systemBoard(const core::Project& project,
                                      const std::optional<core::PlanEstimate>& estimate);
/// "8 × ipu2: 2 replicas of 4 IPUs, 4 stages".
[[nodiscard]] QString boardTitle(const SystemBoard& board);
/// "Stage 1 on IPU 1: 413 MiB of 897 MiB, 93 % busy, locked".
[[nodiscard]] QString stageText(const SystemBoard& board, std::size_t stage, const Units& units);

/// A place of an IPU on the board.
struct BoardCard {
    std::size_t replica = 0;
    std::size_t ipu = 0;
    QRectF rect;
};
/// The chip of a stage on a card.
struct BoardChip {
    std::size_t replica = 0;
    std::size_t stage = 0;
    QRectF rect;
};

/// Where everything is, within some width.
struct BoardLayout {
    std::vector<QRectF> frames;
    /// Replicas that have no frame: they are like the others.
    std::size_t replicasLeftOut = 0;
    std::vector<BoardCard> cards;
    std::vector<BoardChip> chips;
    /// Below the last replica: drawn down, it makes more of them.
    QRectF grip;
    /// From one replica to the next.
    double replicaStep = 0;
    QSizeF size;
};
[[nodiscard]] BoardLayout layOutBoard(const SystemBoard& board, double width, const Theme& theme);

/// What a person does with the board.
struct BoardState {
    /// The stage that keys move.
    std::optional<std::size_t> current;
    bool hasFocus = false;
    std::optional<std::size_t> dragged;
    QPointF mouse;
    /// The pointer is on the grip of the replicas, or draws it.
    bool isOnGrip = false;
    /// The IPU below the dragged stage.
    std::optional<std::size_t> target;
};
void paintBoard(QPainter& painter, const SystemBoard& board, const BoardLayout& layout,
                const BoardState& state, const Units& units, const Theme& theme);

} // namespace views
