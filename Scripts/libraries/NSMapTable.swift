// What Valet needs of NSMapTable, which Foundation on Linux lacks. It is part of test-libraries.py and of
// no product.
import Foundation

final class NSMapTable<Key: AnyObject & Hashable, Value: AnyObject> {
  private struct Weak {
    weak var value: Value?
  }
  private var values: [Key: Weak] = [:]

  static func strongToWeakObjects() -> NSMapTable { NSMapTable() }
  func object(forKey key: Key) -> Value? { values[key]?.value }
  func setObject(_ value: Value?, forKey key: Key) { values[key] = Weak(value: value) }
}
