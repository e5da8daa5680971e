#include "app/window/advice_display.h"

#include "views/common/text/number_text.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/profile/verdict_strip.h"

namespace app {

using views::toQString;

AdviceDisplay::AdviceDisplay(views::Document& document, QObject* parent)
    : QObject(parent)
    , m_document(document) {}

void AdviceDisplay::setBest(std::optional<views::VerdictAdvice> best) {
    m_best = std::move(best);
    m_verdict->setAdvice(m_best);
    emit bestChanged();
}

void AdviceDisplay::clear() {
    m_of.reset();
    setBest(std::nullopt);
    m_problems->awaitAdvice();
}

void AdviceDisplay::showAgain() {
    if (m_of)
        show(m_of, m_advice);
}

void AdviceDisplay::show(const views::ProjectSnapshot& of, const std::vector<simulator::Advice>& advice) {
    m_of = of;
    if (&advice != &m_advice)
        m_advice = advice;
    std::vector<views::NoteRow> rows;
    for (const simulator::Advice& one : advice) {
        views::NoteRow row;
        row.tone = views::ChipTone::Info;
        row.icon = QStringLiteral("bulb");
        const QString peak = views::bytesText(one.peak, m_document.units().bytes).joined();
        const QString gain = views::signedText(one.gain * 100, 1);
        row.text =
            one.repairs
                ? tr("%1: fits, fullest IPU %2, %3 IPUs, %4 % samples/s. Simulated.")
                      .arg(toQString(one.text), peak, QString::number(one.ipus), gain)
                : tr("%1: %2 % samples/s, fullest IPU %3. Simulated.").arg(toQString(one.text), gain, peak);
        row.action = tr("Apply");
        row.act = [this, of, one] {
            if (m_document.snapshot() == of)
                m_document.apply(
                    toQString(one.text),
                    [&](const core::Project&) -> core::Result<core::Project> { return one.project; });
        };
        rows.push_back(std::move(row));
    }
    const auto& estimate = m_document.estimate();
    const bool fits = !estimate || !estimate->refusal.empty() || estimate->fits;
    setBest(clause(of, advice));
    std::optional<views::NoteRow> repair;
    if (!fits && !rows.empty()) {
        repair = rows.front();
        repair->action = tr("Make it fit");
    }
    m_problems->setRepair(std::move(repair));
    m_problems->setAdvice(
        std::move(rows), fits ? tr("None of the single changes that were tried makes this plan faster.")
                              : tr("None of the single changes that were tried makes this plan fit. Several "
                                   "together may: more stages, a smaller batch, recomputation, offloading."));
}

views::VerdictAdvice AdviceDisplay::clause(const views::ProjectSnapshot& of,
                                           const std::vector<simulator::Advice>& advice) {
    const bool fits = !m_document.estimate() || m_document.estimate()->fits;
    if (advice.empty())
        return {fits ? tr("No single change is faster") : tr("No change that was tried fits"),
                tr("splits, schedules, micro-batches, recomputation and offloading were simulated"),
                {}};
    const simulator::Advice& best = advice.front();
    const QString peak = views::bytesText(best.peak, m_document.units().bytes).joined();
    const QString gain = views::signedText(best.gain * 100, 1);
    return {toQString(best.text),
            best.repairs ? tr("it fits then: peak %1, simulated").arg(peak)
                         : tr("%1 % samples/s, peak %2, simulated").arg(gain, peak),
            [this, of, best] {
                if (m_document.snapshot() == of)
                    m_document.apply(
                        toQString(best.text),
                        [&](const core::Project&) -> core::Result<core::Project> { return best.project; });
            }};
}

} // namespace app
