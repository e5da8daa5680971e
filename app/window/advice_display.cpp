#include "app/window/advice_display.h"

#include "views/common/text/number_text.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/profile/profile_source.h"
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
    m_found = {};
    setBest(std::nullopt);
    m_source->setRemedies(std::nullopt);
    m_problems->awaitAdvice();
}

void AdviceDisplay::showAgain() {
    if (m_of)
        show(m_of, m_found);
}

void AdviceDisplay::show(const views::ProjectSnapshot& of, const simulator::Recommendations& recommended) {
    m_of = of;
    if (&recommended != &m_found)
        m_found = recommended;
    std::vector<views::NoteRow> rows;
    for (const simulator::Advice& one : m_found.advice) {
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
        row.act = applying(one);
        rows.push_back(std::move(row));
    }
    const auto& estimate = m_document.estimate();
    const bool fits = !estimate || !estimate->refusal.empty() || estimate->fits;
    setBest(clause());
    showRemedies();
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

void AdviceDisplay::showRemedies() {
    if (!m_document.estimate())
        return m_source->setRemedies(std::nullopt);
    const core::Bytes present = core::peakOf(*m_document.estimate());
    std::vector<views::Remedy> remedies;
    for (const simulator::Advice& one : m_found.remedies) {
        const views::ByteUnit unit = m_document.units().bytes;
        QString effect = tr("peak %1 (%2%3), %4 % samples/s")
                             .arg(views::bytesText(one.peak, unit).joined(), QChar(0x2212),
                                  views::bytesText(present - one.peak, unit).joined(),
                                  views::signedText(one.gain * 100, 1));
        if (one.repairs)
            effect += tr(", fits on %1").arg(views::countedText(one.ipus, tr("IPU"), tr("IPUs")));
        if (one.changesBatch)
            effect += tr(", another effective batch");
        remedies.push_back({toQString(one.text), effect, applying(one)});
    }
    m_source->setRemedies(std::move(remedies));
}

std::function<void()> AdviceDisplay::applying(const simulator::Advice& advice) const {
    return [this, of = m_of, advice] {
        if (m_document.snapshot() == of)
            m_document.apply(
                toQString(advice.text),
                [&](const core::Project&) -> core::Result<core::Project> { return advice.project; });
    };
}

views::VerdictAdvice AdviceDisplay::clause() const {
    const bool fits = !m_document.estimate() || m_document.estimate()->fits;
    if (m_found.advice.empty())
        return {fits ? tr("No single change is faster") : tr("No change that was tried fits"),
                tr("splits, schedules, micro-batches, recomputation and offloading were simulated"),
                {}};
    const simulator::Advice& best = m_found.advice.front();
    const QString peak = views::bytesText(best.peak, m_document.units().bytes).joined();
    const QString gain = views::signedText(best.gain * 100, 1);
    return {toQString(best.text),
            best.repairs ? tr("it fits then: peak %1, simulated").arg(peak)
                         : tr("%1 % samples/s, peak %2, simulated").arg(gain, peak),
            applying(best)};
}

} // namespace app
