#pragma once

#include "views/common/theme/theme.h"

#include <QAbstractButton>
#include <QPainter>
#include <QPixmap>
#include <memory>
#include <optional>
#include <vector>

class QPushButton;
class QToolButton;

namespace core {
struct Project;
}

namespace app {

struct DrawnModel;

/// A project in small: its stages in order, each with the layers on it as strokes.
struct ProjectSketch {
    struct Stage {
        std::size_t stage = 0;
        std::size_t layers = 0;
    };
    std::vector<Stage> stages;
    /// "177 layers · 4 stages".
    QString facts;
    /// "Grouped · 8 × ipu2".
    QString system;
};
[[nodiscard]] ProjectSketch sketchOf(const core::Project& project);

/// Columns of layers, one per stage, joined by lines.
void paintSketch(QPainter& painter, const QRectF& rect, const ProjectSketch& sketch,
                 const views::Theme& theme);

/// A project one can start from: drawing, name, two lines; the first of all has a button of its own.
class ProjectCard final : public QAbstractButton {
    Q_OBJECT

public:
    ProjectCard(const QString& title, const QString& text, QWidget* parent);

    void setSketch(const ProjectSketch& sketch);
    /// The model itself in the place of the sketch.
    void setDrawn(std::shared_ptr<const DrawnModel> drawn);
    /// A primary button in the card.
    QPushButton* addButton(const QString& text);
    /// A star at the right of the drawing: whether it is one of the favourites.
    void setFavourite(bool isFavourite);
    [[nodiscard]] QToolButton* star() const { return m_star; }

    /// Whether the sentence fits into the lines that it has.
    [[nodiscard]] bool isTextWhole() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return false; }

signals:
    void favouriteChanged(bool isFavourite);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void paintPicture(QPainter& painter, const QRectF& place, const views::Theme& theme);

    QString m_text;
    std::optional<ProjectSketch> m_sketch;
    std::shared_ptr<const DrawnModel> m_drawn;
    /// The drawing as it was painted last; empty when it is to be painted again.
    QPixmap m_picture;
    QPushButton* m_button = nullptr;
    QToolButton* m_star = nullptr;
};

} // namespace app
