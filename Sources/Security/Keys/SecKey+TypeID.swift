// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

extension SecKey: TypedObject {
  static var typeID: TypeID { .key }
}

/// Returns the type identifier of ``SecKey``.
public func SecKeyGetTypeID() -> CFTypeID { SecKey.typeID.rawValue }
