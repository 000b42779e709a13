/// The standard library's `Atomic`, implemented with a lock, for the same reason as ``Mutex``. It has what
/// the package uses.
public struct Atomic<Value: Sendable>: ~Copyable, Sendable {
  private let value: Mutex<Value>

  public init(_ initial: Value) { value = Mutex(initial) }

  public borrowing func load(ordering: AtomicOrdering) -> Value { value.withLock { $0 } }

  public borrowing func store(_ new: consuming Value, ordering: AtomicOrdering) {
    let new = new
    value.withLock { $0 = new }
  }
}

extension Atomic where Value: FixedWidthInteger {
  @discardableResult
  public borrowing func add(
    _ operand: Value, ordering: AtomicOrdering
  ) -> (oldValue: Value, newValue: Value) {
    value.withLock { value in
      let old = value
      value += operand
      return (old, value)
    }
  }

  @discardableResult
  public borrowing func subtract(
    _ operand: Value, ordering: AtomicOrdering
  ) -> (oldValue: Value, newValue: Value) {
    value.withLock { value in
      let old = value
      value -= operand
      return (old, value)
    }
  }
}

/// The orderings of ``Atomic``. A lock is stronger than each of them.
public enum AtomicOrdering: Sendable {
  case relaxed, acquiring, releasing, sequentiallyConsistent
}
