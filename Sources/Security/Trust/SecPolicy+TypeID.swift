// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

extension SecPolicy: TypedObject {
  static var typeID: TypeID { .policy }
}

/// Returns the type identifier of ``SecPolicy``.
public func SecPolicyGetTypeID() -> CFTypeID { SecPolicy.typeID.rawValue }
