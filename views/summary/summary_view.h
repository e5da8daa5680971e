#pragma once

#include "views/profile/profile_view.h"
#include "views/summary/summary_page.h"

#include <functional>

class QToolButton;

namespace views {

/// The answers about a run on one page. A click on an answer, or Enter, selects its evidence and shows the
/// view that it is in, one on a figure of the head explains it; the best change is tried by its button.
class SummaryView final : public ProfileViewOf<SummaryData> {
    Q_OBJECT

public:
    SummaryView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                QWidget* parent = nullptr);

    /// What would help the project as it is; nothing while it is looked for. `apply` makes the change; null
    /// where there is none.
    void setAdvice(std::optional<SummaryAdvice> advice, std::function<void()> apply);

    [[nodiscard]] const SummaryScene& scene() const;
    /// The widget that the page is painted on, and its places there.
    [[nodiscard]] QWidget& canvas() const;
    [[nodiscard]] SummaryPage page() const;
    [[nodiscard]] QToolButton& tryButton() const { return *m_try; }
    [[nodiscard]] std::optional<Picture> picture() const;

protected:
    [[nodiscard]] Query query() const override;
    void dataChanged() override;
    void showData() override;
    void setUnits(const Units& units) override;

private:
    class Canvas;

    void follow(std::size_t answer);
    void explain(std::size_t figure);
    void tryAdvice();

    Canvas* m_canvas;
    QToolButton* m_try;
    std::function<void()> m_apply;
};

} // namespace views
