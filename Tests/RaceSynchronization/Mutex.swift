import Glibc

/// The standard library's `Mutex` over pthread, whose locks the thread sanitizer knows: it cannot see
/// into the standard library, and takes what every `Mutex` guards for a race.
///
/// Takes the place of `Synchronization` in the build of `make race` alone.
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  public init(_ initial: consuming sending Value) {
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
    value.initialize(to: initial)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }
}
