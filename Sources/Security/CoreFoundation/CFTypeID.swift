// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// The types of objects that ``CFGetTypeID(_:)`` distinguishes.
enum TypeID: CFTypeID {
  // No type has the number 0.
  case null = 1
  case string, data, date, number, boolean, array, dictionary, error, url, uuid
  case accessControl, key, certificate, identity, policy, trust
  case other
}

/// An object of this module, which knows its type.
protocol TypedObject: AnyObject {
  static var typeID: TypeID { get }
}

/// Returns the type identifier of an object.
///
/// - Returns: The number that the `…GetTypeID` function of the object's type returns. If the type
///   has no such function, a number that no `…GetTypeID` function returns.
public func CFGetTypeID(_ object: CFTypeRef!) -> CFTypeID {
  let kind: TypeID =
    switch object {
    case is NSString: .string
    case is NSData: .data
    case is NSDate: .date
    // Booleans are the only numbers that are created from a C `char`.
    case let number as NSNumber: number.objCType.pointee == 0x63 ? .boolean : .number
    case is NSArray: .array
    case is NSDictionary: .dictionary
    case is NSError: .error
    case is NSURL: .url
    case is NSUUID: .uuid
    case is NSNull: .null
    case let object as any TypedObject: type(of: object).typeID
    default: .other
    }
  return kind.rawValue
}

/// Returns the type identifier of null.
public func CFNullGetTypeID() -> CFTypeID { TypeID.null.rawValue }
/// Returns the type identifier of strings.
public func CFStringGetTypeID() -> CFTypeID { TypeID.string.rawValue }
/// Returns the type identifier of data.
public func CFDataGetTypeID() -> CFTypeID { TypeID.data.rawValue }
/// Returns the type identifier of dates.
public func CFDateGetTypeID() -> CFTypeID { TypeID.date.rawValue }
/// Returns the type identifier of numbers, except Booleans.
public func CFNumberGetTypeID() -> CFTypeID { TypeID.number.rawValue }
/// Returns the type identifier of Booleans.
public func CFBooleanGetTypeID() -> CFTypeID { TypeID.boolean.rawValue }
/// Returns the type identifier of arrays.
public func CFArrayGetTypeID() -> CFTypeID { TypeID.array.rawValue }
/// Returns the type identifier of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { TypeID.dictionary.rawValue }
/// Returns the type identifier of errors.
public func CFErrorGetTypeID() -> CFTypeID { TypeID.error.rawValue }
/// Returns the type identifier of URLs.
public func CFURLGetTypeID() -> CFTypeID { TypeID.url.rawValue }
/// Returns the type identifier of UUIDs.
public func CFUUIDGetTypeID() -> CFTypeID { TypeID.uuid.rawValue }
