#pragma once

#include <algorithm>
#include <atomic>
#include <compare>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace core {

/// A list whose copies share their items until one of them changes an item: a copy costs a pointer per item,
/// and a change copies that item alone. Reads like a vector. What is const, or iterated, is only read; the
/// [] and back() of a list that is not const copy an item that is shared, so write there alone.
/// Lists that share items may be used by several threads at once, one list by one of them.
template <class T>
class SharedList {
    using Items = std::vector<std::shared_ptr<const T>>;

public:
    using value_type = T;

    /// Reads the items in order.
    class Iterator {
    public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = const T*;
        using reference = const T&;

        Iterator() = default;
        explicit Iterator(typename Items::const_iterator at)
            : m_at(at) {}

        const T& operator*() const { return **m_at; }
        const T* operator->() const { return m_at->get(); }
        const T& operator[](difference_type step) const { return *m_at[step]; }
        Iterator& operator++() { return *this += 1; }
        Iterator operator++(int) { return Iterator(m_at++); }
        Iterator& operator--() { return *this += -1; }
        Iterator operator--(int) { return Iterator(m_at--); }
        Iterator& operator+=(difference_type step) {
            m_at += step;
            return *this;
        }
        Iterator& operator-=(difference_type step) { return *this += -step; }
        friend Iterator operator+(Iterator from, difference_type step) { return from += step; }
        friend Iterator operator+(difference_type step, Iterator from) { return from += step; }
        friend Iterator operator-(Iterator from, difference_type step) { return from -= step; }
        friend difference_type operator-(const Iterator& a, const Iterator& b) { return a.m_at - b.m_at; }
        auto operator<=>(const Iterator&) const = default;

    private:
        typename Items::const_iterator m_at;
    };

    SharedList() = default;
    SharedList(std::initializer_list<T> items) {
        for (const T& item : items)
            push_back(item);
    }

    [[nodiscard]] std::size_t size() const { return m_items.size(); }
    [[nodiscard]] bool empty() const { return m_items.empty(); }
    [[nodiscard]] Iterator begin() const { return Iterator(m_items.begin()); }
    [[nodiscard]] Iterator end() const { return Iterator(m_items.end()); }
    [[nodiscard]] const T& operator[](std::size_t index) const { return *m_items[index]; }
    [[nodiscard]] const T& front() const { return *m_items.front(); }
    [[nodiscard]] const T& back() const { return *m_items.back(); }

    /// The item to write to.
    [[nodiscard]] T& operator[](std::size_t index) { return own(m_items[index]); }
    [[nodiscard]] T& back() { return own(m_items.back()); }

    void reserve(std::size_t size) { m_items.reserve(size); }
    void push_back(T item) { m_items.push_back(std::make_shared<T>(std::move(item))); }
    void pop_back() { m_items.pop_back(); }
    void insert(Iterator before, T item) {
        m_items.insert(m_items.begin() + (before - begin()), std::make_shared<T>(std::move(item)));
    }
    void erase(Iterator at) { m_items.erase(m_items.begin() + (at - begin())); }
    void clear() { m_items.clear(); }
    /// Adds the item of another list, shared with it.
    void pushShared(const SharedList& other, std::size_t index) { m_items.push_back(other.m_items[index]); }
    /// Puts the item of another list in the place of one, shared with it.
    void share(std::size_t place, const SharedList& other, std::size_t index) {
        m_items[place] = other.m_items[index];
    }

    bool operator==(const SharedList& other) const {
        return std::ranges::equal(m_items, other.m_items,
                                  [](const auto& a, const auto& b) { return a == b || *a == *b; });
    }

private:
    static T& own(std::shared_ptr<const T>& item) {
        if (item.use_count() != 1)
            item = std::make_shared<T>(*item);
        else
            std::atomic_thread_fence(std::memory_order_acquire); // after whoever let go of it last
        // Every item was made by make_shared<T>, and nobody else holds it.
        return const_cast<T&>(*item);
    }

    Items m_items;
};

} // namespace core
