import Foundation
import Synchronization

/// The objects behind the pointers that functions for collections return.
///
/// Foundation's collections on this platform create an object for each access. Core Foundation's
/// return a pointer to an object that lives as long as the collection holds it. This table keeps each
/// object that was returned until its collection is gone and ``removeUnused()`` is called.
enum LentObjects {
  private final class Entry: @unchecked Sendable {
    weak var collection: AnyObject?
    /// The objects by their keys or positions. The last one of each was returned last.
    var objects: [AnyHashable: [AnyObject]] = [:]

    init(_ collection: AnyObject) { self.collection = collection }
  }
  private struct Table {
    var entries: [ObjectIdentifier: Entry] = [:]
    var countOfNextRemoval = 16

    /// Removes the entries of collections that are gone. Their objects are released when the result is,
    /// which must not happen under the lock, because it runs code of other modules.
    mutating func removeUnused() -> [Entry] {
      let unused = entries.filter { $0.value.collection == nil }
      for key in unused.keys { entries[key] = nil }
      countOfNextRemoval = max(16, 2 * entries.count)
      return Array(unused.values)
    }
  }
  private static let table = Mutex(Table())

  /// Releases the objects of collections that are gone.
  static func removeUnused() {
    let unused = table.withLock { $0.entries.isEmpty ? [] : $0.removeUnused() }
    withExtendedLifetime(unused) {}
  }

  /// Returns a pointer to the object of a value, which is valid as long as the collection exists.
  static func pointer(
    to value: Any?, at key: AnyHashable, in collection: AnyObject
  ) -> UnsafeRawPointer? {
    guard let value else { return nil }
    // The lock guards the entries too.
    nonisolated(unsafe) let (new, place, owner) = (value as AnyObject, key, collection)
    nonisolated(unsafe) let former = table.withLock { table in
      nonisolated(unsafe) let former = table.entries[ObjectIdentifier(owner)]
        .flatMap { $0.collection == nil ? nil : $0.objects[place]?.last }
      return former
    }
    if let former, isSame(former, new) {
      return UnsafeRawPointer(Unmanaged.passUnretained(former).toOpaque())
    }
    let unused = table.withLock { table in
      var unused = table.entries.count >= table.countOfNextRemoval ? table.removeUnused() : []
      var entry = table.entries[ObjectIdentifier(owner)] ?? Entry(owner)
      if entry.collection == nil {
        // The entry is of another collection, which had the same address.
        unused.append(entry)
        entry = Entry(owner)
      }
      entry.objects[place, default: []].append(new)
      table.entries[ObjectIdentifier(owner)] = entry
      return unused
    }
    withExtendedLifetime(unused) {}
    return UnsafeRawPointer(Unmanaged.passUnretained(new).toOpaque())
  }

  /// Returns true if a caller cannot distinguish two objects: they are one object, or constants of the
  /// same type with equal content.
  private static func isSame(_ first: AnyObject, _ second: AnyObject) -> Bool {
    if first === second { return true }
    guard first is NSString || first is NSData || first is NSNumber || first is NSDate,
      !(first is NSMutableString), !(first is NSMutableData)
    else { return false }
    return CFGetTypeID(first) == CFGetTypeID(second) && CFEqual(first, second)
  }

  /// Returns the object at a pointer that a caller passes.
  static func object<Object: AnyObject>(_ pointer: UnsafeRawPointer?) -> Object? {
    pointer.flatMap { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() as? Object }
  }
}
