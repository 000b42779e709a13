import Foundation
import Synchronization

/// The objects behind the pointers that functions for collections return.
///
/// Foundation's collections on this platform create an object for each access. Core Foundation's
/// return a pointer to an object that lives as long as the collection holds it. This table keeps one
/// object for each entry of a collection that was asked for, until the collection is gone and the
/// table is used again.
enum LentObjects {
  private final class Entry: @unchecked Sendable {
    weak var collection: AnyObject?
    var objects: [AnyHashable: AnyObject] = [:]

    init(_ collection: AnyObject) { self.collection = collection }
  }
  private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  /// Returns a pointer to the object of a value, which is valid as long as the collection exists and
  /// holds the value.
  static func pointer(
    to value: Any?, at key: AnyHashable, in collection: AnyObject
  ) -> UnsafeRawPointer? {
    let object = value.map { $0 as AnyObject }
    // The lock guards the entries too.
    nonisolated(unsafe) let (lent, place, owner) = (object, key, collection)
    let address: UInt = entries.withLock { entries in
      entries = entries.filter { $0.value.collection != nil }
      let entry = entries[ObjectIdentifier(owner)] ?? Entry(owner)
      guard let lent else {
        entry.objects[place] = nil
        return 0
      }
      entries[ObjectIdentifier(owner)] = entry
      let former = entry.objects[place]
      let kept = former.flatMap { CFEqual($0, lent) ? $0 : nil } ?? lent
      entry.objects[place] = kept
      return UInt(bitPattern: Unmanaged.passUnretained(kept).toOpaque())
    }
    return UnsafeRawPointer(bitPattern: address)
  }

  /// Returns the object at a pointer that a caller passes.
  static func object<Object: AnyObject>(_ pointer: UnsafeRawPointer?) -> Object? {
    pointer.flatMap { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() as? Object }
  }
}
