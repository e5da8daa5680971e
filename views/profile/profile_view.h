#pragma once

#include "core/base/diagnostic.h"
#include "views/common/widgets/picture_export.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/profile/profile_query.h"
#include "views/profile/profile_source.h"
#include "views/profile/time/time_cursor.h"
#include "views/profile/time/time_filter.h"

#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

class QLabel;
class QSplitter;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace views {

class EmptyView;
class FilterChips;
class ReadingVeil;
class RunChooser;
class TablePanel;
class ViewBar;
class ViewIntents;

/// The frame of a view of stored runs: a bar above, and below it the content or why there is none. It asks
/// again when the database or the chosen run is another one, and shows again when the units or the theme are.
/// A view of one kind of data derives from `ProfileViewOf`.
class ProfileView : public QWidget {
    Q_OBJECT

public:
    ~ProfileView() override;

protected:
    ProfileView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                QWidget* parent);

    [[nodiscard]] Document& document() const { return m_document; }
    [[nodiscard]] Selection& selection() const { return m_selection; }
    [[nodiscard]] ProfileSource& source() const { return m_source; }
    [[nodiscard]] ViewIntents& intents() const { return m_intents; }

    // What a view is made of; a constructor calls these, and `reload` at its end.
    /// The bar above; made with the first call.
    [[nodiscard]] ViewBar& bar();
    RunChooser& addRunChooser();
    /// A chip in the bar while only a part of the time is shown (see `showTimeChip`); its cross shows all
    /// again.
    void addTimeChip();
    /// A button that saves the picture, where there is one.
    void addPictureExport(const QString& toolTip, std::function<std::optional<Picture>()> picture);
    /// A button that saves the table in a file of this name.
    void addTableExport(const QString& toolTip, const QString& name, const TablePanel& table);
    /// Hides a part of the content, and adds a button to the bar that shows it.
    QToolButton* addFold(QWidget* part, const QString& name, const QString& toolTip);
    /// Something else between bar and content.
    void addAbove(QWidget* widget);
    /// What is shown while there is something to show. Once, after `addAbove`.
    void setContent(QWidget* content);
    /// What the view says without data: the icon of the view, and what will be here after a run.
    void setPromise(const QString& iconName, const QString& promise);
    /// Made with the content.
    [[nodiscard]] EmptyView& emptyView() const { return *m_empty; }

    /// Asks the database for what is shown.
    virtual void reload() = 0;
    [[nodiscard]] virtual bool hasData() const = 0;
    /// Shows what there is.
    virtual void showData() = 0;
    /// There is nothing to show any more, beside the empty view.
    virtual void clearData() {}
    /// Whether an answer about a run is on its way, while there is no data.
    [[nodiscard]] virtual bool isReading() const { return m_selection.state().run.has_value(); }
    /// Why there is no data.
    [[nodiscard]] virtual const core::Diagnostics& trouble() const = 0;
    /// The units are others; what has been shown is shown again afterwards.
    virtual void setUnits(const Units&) {}
    /// The theme is another one: what is not painted anew by itself.
    virtual void restyle() {}
    /// A new run is asked for; a view that follows more of the selection adds to this.
    virtual void followSelection(const SelectionState& before);
    /// Fills the empty view.
    virtual void explainNoData(EmptyView& view) const;

    /// `showData`, or the empty view.
    void showAll();
    /// Names above the content what of it is on damaged pages; nothing where all is whole.
    void showLosses(const std::vector<std::string>& losses);
    /// What is shown is dimmed while the answer that replaces it is on its way.
    void setReading(bool isReading);
    /// `time`: the part of the time that is shown; nothing: all of it.
    void showTimeChip(const std::optional<TimeRange>& time, const TimeScale& scale);
    /// Reads which stage programs of the run are at work in the selected time; `changed` where they are
    /// others than before.
    void followTime(core::RunId run, core::Cycles step, std::function<void()> changed);
    /// There is no such run any more.
    void forgetTime();
    /// Of the selected time; nothing: no time is selected, or it is not known yet.
    [[nodiscard]] const std::optional<std::set<StageProgram>>& programsInTime() const {
        return m_programsInTime;
    }
    /// What the programs of a run do when, for who has no axis of time; null until it is read, which the
    /// first call asks for, and then `loaded` is called.
    [[nodiscard]] const ProgramPlaces* placesOf(core::RunId run, std::function<void()> loaded);
    void changeEvent(QEvent* event) override;

private:
    Document& m_document;
    Selection& m_selection;
    ProfileSource& m_source;
    ViewIntents& m_intents;
    QVBoxLayout* m_layout;
    ViewBar* m_bar = nullptr;
    RunChooser* m_chooser = nullptr;
    FilterChips* m_timeChip = nullptr;
    QStackedWidget* m_stack = nullptr;
    EmptyView* m_empty = nullptr;
    QWidget* m_content = nullptr;
    ReadingVeil* m_veil = nullptr;
    QLabel* m_losses = nullptr;
    std::optional<std::set<StageProgram>> m_programsInTime;
    /// Made when a time is selected.
    std::unique_ptr<ProfileQuery> m_timeQuery;
    std::optional<core::RunId> m_placesOf;
    std::optional<ProgramPlaces> m_places;
    std::unique_ptr<ProfileQuery> m_placeQuery;
    QString m_iconName;
    QString m_promise;
};

/// A view of one kind of data: a query that runs off the window's thread, and what shows its answer.
template <class Data>
class ProfileViewOf : public ProfileView {
protected:
    using ProfileView::ProfileView;
    using Query = std::function<core::Result<Data>(const core::ProfileDatabase&)>;

    /// What to ask the database, with what is selected now; null where there is nothing to ask.
    [[nodiscard]] virtual Query query() const = 0;
    /// Data is new, or gone; it is shown afterwards.
    virtual void dataChanged() {}

    /// Null where there is none.
    [[nodiscard]] const std::shared_ptr<const Data>& data() const { return m_data; }
    [[nodiscard]] bool hasData() const override { return m_data != nullptr; }
    [[nodiscard]] const core::Diagnostics& trouble() const override { return m_trouble; }

    void reload() override {
        Query ask = query();
        if (!ask) {
            m_query.cancel();
            showLosses({});
            return take({}, {});
        }
        setReading(m_data != nullptr);
        m_query.request<Data>(source().path(), std::move(ask), [this](core::Result<Data> answer) {
            showLosses(m_query.losses());
            if (answer)
                take(std::make_shared<const Data>(*std::move(answer)), {});
            else
                take({}, answer.error());
        });
    }

    /// Shows data that came another way.
    void take(std::shared_ptr<const Data> data, core::Diagnostics trouble) {
        setReading(false);
        m_data = std::move(data);
        m_trouble = std::move(trouble);
        dataChanged();
        showAll();
    }

    /// The run that is chosen; nothing where no project is open.
    [[nodiscard]] std::optional<core::RunId> chosenRun() const {
        return source().path().empty() ? std::nullopt : selection().state().run;
    }

private:
    std::shared_ptr<const Data> m_data;
    core::Diagnostics m_trouble;
    ProfileQuery m_query;
};

/// Parts of a view side by side or below one another, with a line between them that can be dragged.
[[nodiscard]] QSplitter* makeSplitter(Qt::Orientation orientation, QWidget* parent = nullptr);

} // namespace views
