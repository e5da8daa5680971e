#pragma once

#include "views/predictions/prediction_data.h"
#include "views/profile/profile_view.h"

class QComboBox;

namespace views {

class TablePanel;

/// What a run that predicts computed: a row a sample, and the chosen sample as a picture.
class PredictionsView final : public ProfileViewOf<std::vector<PredictedOutput>> {
    Q_OBJECT

public:
    PredictionsView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                    QWidget* parent = nullptr);

    [[nodiscard]] TablePanel& table() { return *m_table; }
    [[nodiscard]] QComboBox& outputs() { return *m_outputs; }

protected:
    [[nodiscard]] Query query() const override;
    [[nodiscard]] bool hasData() const override { return data() != nullptr && !data()->empty(); }
    void dataChanged() override;
    void showData() override;
    void clearData() override;
    void explainNoData(EmptyView& view) const override;

private:
    class Sample;
    /// The output that is shown; only while there is data.
    [[nodiscard]] const PredictedOutput& output() const;

    QComboBox* m_outputs;
    TablePanel* m_table;
    Sample* m_sample;
};

} // namespace views
