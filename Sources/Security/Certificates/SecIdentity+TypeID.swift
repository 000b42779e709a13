// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

extension SecIdentity: TypedObject {
  static var typeID: TypeID { .identity }
}

/// Returns the type identifier of ``SecIdentity``.
public func SecIdentityGetTypeID() -> CFTypeID { SecIdentity.typeID.rawValue }
