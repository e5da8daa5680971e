#pragma once

#include "core/profile/notes/note_records.h"
#include "core/profile/queries/sql_query.h"
#include "views/document/selection.h"
#include "views/profile/profile_query.h"
#include "views/profile/tables/table_content.h"

#include <QWidget>
#include <atomic>
#include <memory>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace views {

class ProfileSource;
struct ReferenceTrace;
class TablePanel;
class ViewIntents;

/// The answer of a query as a table: columns with numbers are aligned and sorted as such.
[[nodiscard]] TableContent answerTable(const core::SqlTable& answer);

/// Questions in SQL about the stored runs: the presets, those that were kept, or any other. An answer is a
/// table; one whose columns are times is drawn below the lanes of the timeline, too (`answerLanes`).
class AskView final : public QWidget {
    Q_OBJECT

public:
    AskView(Selection& selection, ProfileSource& source, ViewIntents& intents, QWidget* parent = nullptr);
    ~AskView() override;

    [[nodiscard]] QComboBox& questions() const { return *m_questions; }
    [[nodiscard]] QPlainTextEdit& query() const { return *m_query; }
    [[nodiscard]] QLineEdit& name() const { return *m_name; }
    [[nodiscard]] QPushButton& askButton() const { return *m_ask; }
    [[nodiscard]] QPushButton& showButton() const { return *m_show; }
    [[nodiscard]] QPushButton& keepButton() const { return *m_keep; }
    [[nodiscard]] QPushButton& forgetButton() const { return *m_forget; }
    [[nodiscard]] TablePanel& answer() const { return *m_answer; }
    /// "12 rows", or what is wrong with the question.
    [[nodiscard]] QString said() const;

    /// Asks what is written.
    void ask();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildQuestion();
    void loadKept();
    void listQuestions();
    void chooseQuestion(int index);
    /// The SQL of a listed question: a preset's is about the run that is shown.
    [[nodiscard]] QString sqlOf(int index) const;
    /// What stands there as it was chosen is about the run that is shown now.
    void followRun();
    struct Answer {
        core::SqlTable table;
        /// Of the run that it is about; 0 where there is none.
        double clockHz = 0;
    };
    static core::Result<Answer> read(const core::ProfileDatabase& database, const std::string& sql,
                                     const core::SqlLimits& limits);
    void take(const core::Result<Answer>& answer);
    void showLanes();
    void say(const QString& text, bool isTrouble);
    void keep();
    void forget();
    void offerKeeping();

    Selection& m_selection;
    ProfileSource& m_source;
    ViewIntents& m_intents;
    QComboBox* m_questions;
    QPlainTextEdit* m_query;
    QLineEdit* m_name;
    QPushButton* m_ask;
    QPushButton* m_show;
    QPushButton* m_keep;
    QPushButton* m_forget;
    QLabel* m_said;
    TablePanel* m_answer;
    /// The answer as lanes; null where it has no times.
    std::shared_ptr<const ReferenceTrace> m_lanes;
    std::vector<core::QueryRecord> m_kept;
    /// What was put there by choosing a question.
    QString m_chosen;
    /// What was asked last.
    std::string m_asked;
    /// Set to stop the question that is being answered.
    std::shared_ptr<std::atomic<bool>> m_isLate;
    ProfileQuery m_sqlQuery;
    ProfileQuery m_keptQuery;
};

} // namespace views
