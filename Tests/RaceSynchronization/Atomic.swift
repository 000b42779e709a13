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

/// The orderings of ``Atomic``. A lock is stronger than each of them.
public enum AtomicOrdering: Sendable { case relaxed }
