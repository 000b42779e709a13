// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// Creates data from a copy of the bytes.
public func CFDataCreate(
  _ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex
) -> CFData! {
  guard let bytes, length > 0 else { return NSData() }
  return NSData(bytes: bytes, length: length)
}

/// Creates a copy of data.
public func CFDataCreateCopy(_ allocator: CFAllocator?, _ data: CFData!) -> CFData! {
  data.map { NSData(data: $0 as Data) }
}

/// Creates empty data that can grow.
///
/// - Parameter capacity: Ignored. The data can always grow.
public func CFDataCreateMutable(
  _ allocator: CFAllocator?, _ capacity: CFIndex
) -> CFMutableData! { NSMutableData() }

/// Creates a copy of data that can be changed.
///
/// - Parameter capacity: Ignored. The data can always grow.
public func CFDataCreateMutableCopy(
  _ allocator: CFAllocator?, _ capacity: CFIndex, _ data: CFData!
) -> CFMutableData! {
  data.map { NSMutableData(data: $0 as Data) }
}

/// Returns the number of bytes in a data object.
public func CFDataGetLength(_ data: CFData!) -> CFIndex { data?.length ?? 0 }

/// Returns a pointer to the first byte of a data object. The pointer is valid as long as the object
/// exists and is not changed.
public func CFDataGetBytePtr(_ data: CFData!) -> UnsafePointer<UInt8>! {
  data?.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Returns a pointer to the first byte, through which the bytes can be changed. The pointer is valid
/// until the number of bytes changes.
public func CFDataGetMutableBytePtr(_ data: CFMutableData!) -> UnsafeMutablePointer<UInt8>! {
  data?.mutableBytes.assumingMemoryBound(to: UInt8.self)
}

/// Copies a range of bytes to a buffer, which must have room for them.
public func CFDataGetBytes(
  _ data: CFData!, _ range: CFRange, _ buffer: UnsafeMutablePointer<UInt8>!
) {
  guard let data, let buffer else { return }
  data.getBytes(buffer, range: range.range)
}

/// Sets the number of bytes. New bytes are zero.
public func CFDataSetLength(_ data: CFMutableData!, _ length: CFIndex) { data?.length = length }

/// Adds zero bytes at the end.
public func CFDataIncreaseLength(_ data: CFMutableData!, _ extraLength: CFIndex) {
  data?.increaseLength(by: extraLength)
}

/// Adds a copy of bytes at the end.
public func CFDataAppendBytes(
  _ data: CFMutableData!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex
) {
  guard let bytes, length > 0 else { return }
  data?.append(bytes, length: length)
}

/// Replaces a range of bytes by a copy of other bytes.
public func CFDataReplaceBytes(
  _ data: CFMutableData!, _ range: CFRange, _ newBytes: UnsafePointer<UInt8>!,
  _ newLength: CFIndex
) {
  data?.replaceBytes(in: range.range, withBytes: newBytes, length: newLength)
}

/// Removes a range of bytes.
public func CFDataDeleteBytes(_ data: CFMutableData!, _ range: CFRange) {
  data?.replaceBytes(in: range.range, withBytes: nil, length: 0)
}
