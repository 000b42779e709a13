// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

// Collections by pointers to objects, as C code uses them. A pointer that a function returns is valid
// as long as the collection exists and holds the object.

/// The callbacks for the keys of a dictionary. This module ignores them.
public struct CFDictionaryKeyCallBacks: Sendable {
  /// Creates callbacks that do nothing.
  public init() {}
}

/// The callbacks for the values of a dictionary. This module ignores them.
public struct CFDictionaryValueCallBacks: Sendable {
  /// Creates callbacks that do nothing.
  public init() {}
}

/// The callbacks for the values of an array. This module ignores them.
public struct CFArrayCallBacks: Sendable {
  /// Creates callbacks that do nothing.
  public init() {}
}

// `nonisolated(unsafe)` is safe here, because the values have no state. They are variables so that
// callers can pass them with `&`.

/// The callbacks for keys that are objects.
public nonisolated(unsafe) var kCFTypeDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
/// The callbacks for values that are objects.
public nonisolated(unsafe) var kCFTypeDictionaryValueCallBacks = CFDictionaryValueCallBacks()
/// The callbacks for elements that are objects.
public nonisolated(unsafe) var kCFTypeArrayCallBacks = CFArrayCallBacks()

// MARK: Dictionaries

/// Creates a dictionary of objects.
///
/// - Parameters:
///   - keys: Pointers to the keys, which are strings.
///   - values: Pointers to the values.
///   - keyCallBacks: Ignored. Keys and values are objects.
public func CFDictionaryCreate(
  _ allocator: CFAllocator?, _ keys: UnsafeMutablePointer<UnsafeRawPointer?>!,
  _ values: UnsafeMutablePointer<UnsafeRawPointer?>!, _ numValues: CFIndex,
  _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>?,
  _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>?
) -> CFDictionary! {
  let dictionary = NSMutableDictionary()
  if let keys, let values {
    for position in 0..<numValues {
      CFDictionarySetValue(dictionary, keys[position], values[position])
    }
  }
  return dictionary.copy() as? NSDictionary
}

/// Creates an empty dictionary.
///
/// - Parameters:
///   - capacity: Ignored.
///   - keyCallBacks: Ignored. Keys and values are objects.
public func CFDictionaryCreateMutable(
  _ allocator: CFAllocator?, _ capacity: CFIndex,
  _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>?,
  _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>?
) -> CFMutableDictionary! { NSMutableDictionary() }

/// Creates a copy of a dictionary.
public func CFDictionaryCreateCopy(
  _ allocator: CFAllocator?, _ dictionary: CFDictionary!
) -> CFDictionary! {
  dictionary?.copy() as? NSDictionary
}

/// Creates a copy of a dictionary that can be changed.
///
/// - Parameter capacity: Ignored.
public func CFDictionaryCreateMutableCopy(
  _ allocator: CFAllocator?, _ capacity: CFIndex, _ dictionary: CFDictionary!
) -> CFMutableDictionary! {
  dictionary?.mutableCopy() as? NSMutableDictionary
}

/// Returns the number of key-value pairs in a dictionary.
public func CFDictionaryGetCount(_ dictionary: CFDictionary!) -> CFIndex {
  dictionary?.count ?? 0
}

/// Returns true if a dictionary has a value for a key.
public func CFDictionaryContainsKey(
  _ dictionary: CFDictionary!, _ key: UnsafeRawPointer!
) -> Bool {
  guard let key: NSString = LentObjects.object(key) else { return false }
  return dictionary?[key] != nil
}

/// Returns a pointer to the value of a key in a dictionary, or nil if there is none.
///
/// The pointer is valid as long as the dictionary exists and holds the value. If the value is a
/// secret, such as that of `kSecValueData`, its object is a second copy in memory.
public func CFDictionaryGetValue(
  _ dictionary: CFDictionary!, _ key: UnsafeRawPointer!
) -> UnsafeRawPointer! {
  guard let dictionary, let key: NSString = LentObjects.object(key) else { return nil }
  return LentObjects.pointer(to: dictionary[key], at: key as String, in: dictionary)
}

/// Sets a pointer to the value of a key, as ``CFDictionaryGetValue(_:_:)`` returns it.
///
/// - Returns: True if the dictionary has a value for the key.
public func CFDictionaryGetValueIfPresent(
  _ dictionary: CFDictionary!, _ key: UnsafeRawPointer!,
  _ value: UnsafeMutablePointer<UnsafeRawPointer?>!
) -> Bool {
  guard let found = CFDictionaryGetValue(dictionary, key) else { return false }
  value?.pointee = found
  return true
}

/// Sets the value of a key in a dictionary.
public func CFDictionarySetValue(
  _ dictionary: CFMutableDictionary!, _ key: CFString, _ value: CFTypeRef
) {
  dictionary?[key] = value
}

/// Sets the value of a key in a dictionary. Both are pointers to objects.
public func CFDictionarySetValue(
  _ dictionary: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {
  guard let key: NSString = LentObjects.object(key),
    let value: AnyObject = LentObjects.object(value)
  else { return }
  dictionary?[key] = value
}

/// Sets the value of a key, unless the dictionary has a value for it.
public func CFDictionaryAddValue(
  _ dictionary: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {
  if !CFDictionaryContainsKey(dictionary, key) { CFDictionarySetValue(dictionary, key, value) }
}

/// Replaces the value of a key, if the dictionary has a value for it.
public func CFDictionaryReplaceValue(
  _ dictionary: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {
  if CFDictionaryContainsKey(dictionary, key) { CFDictionarySetValue(dictionary, key, value) }
}

/// Removes a key and its value from a dictionary.
public func CFDictionaryRemoveValue(_ dictionary: CFMutableDictionary!, _ key: UnsafeRawPointer!) {
  guard let key: NSString = LentObjects.object(key) else { return }
  dictionary?.removeObject(forKey: key)
}

/// Removes all keys and values from a dictionary.
public func CFDictionaryRemoveAllValues(_ dictionary: CFMutableDictionary!) {
  dictionary?.removeAllObjects()
}

// MARK: Arrays

/// Creates an array of objects.
///
/// - Parameters:
///   - values: Pointers to the objects.
///   - callBacks: Ignored.
public func CFArrayCreate(
  _ allocator: CFAllocator?, _ values: UnsafeMutablePointer<UnsafeRawPointer?>!,
  _ numValues: CFIndex, _ callBacks: UnsafePointer<CFArrayCallBacks>?
) -> CFArray! {
  UnsafeBufferPointer(start: values, count: values == nil ? 0 : numValues)
    .compactMap { (pointer: UnsafeRawPointer?) -> AnyObject? in LentObjects.object(pointer) }
    as NSArray
}

/// Creates an empty array that can be changed.
///
/// - Parameters:
///   - capacity: Ignored.
///   - callBacks: Ignored.
public func CFArrayCreateMutable(
  _ allocator: CFAllocator?, _ capacity: CFIndex, _ callBacks: UnsafePointer<CFArrayCallBacks>?
) -> CFMutableArray! { NSMutableArray() }

/// Creates a copy of an array.
public func CFArrayCreateCopy(_ allocator: CFAllocator?, _ array: CFArray!) -> CFArray! {
  array?.copy() as? NSArray
}

/// Creates a copy of an array that can be changed.
///
/// - Parameter capacity: Ignored.
public func CFArrayCreateMutableCopy(
  _ allocator: CFAllocator?, _ capacity: CFIndex, _ array: CFArray!
) -> CFMutableArray! {
  array?.mutableCopy() as? NSMutableArray
}

/// Returns the number of objects in an array.
public func CFArrayGetCount(_ array: CFArray!) -> CFIndex { array?.count ?? 0 }

/// Returns a pointer to an element of an array. The position must be valid.
///
/// The pointer is valid as long as the array exists and holds the element. If the element is a
/// secret, its object is a second copy in memory.
public func CFArrayGetValueAtIndex(_ array: CFArray!, _ index: CFIndex) -> UnsafeRawPointer! {
  guard let array else { return nil }
  return LentObjects.pointer(to: array[index], at: index, in: array)
}

/// Adds an object at the end of an array.
public func CFArrayAppendValue(_ array: CFMutableArray!, _ value: UnsafeRawPointer!) {
  guard let value: AnyObject = LentObjects.object(value) else { return }
  array?.add(value)
}

/// Removes the element at a position, which must be valid.
public func CFArrayRemoveValueAtIndex(_ array: CFMutableArray!, _ index: CFIndex) {
  array?.removeObject(at: index)
}

/// Removes all elements of an array.
public func CFArrayRemoveAllValues(_ array: CFMutableArray!) { array?.removeAllObjects() }
