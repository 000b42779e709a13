import Foundation

// What a search returns, and under which names.
// Unsafe to the compiler alone: literals never change.

/// Whether the value is returned, as data: a Boolean.
public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
/// Whether the attributes are returned, as a dictionary: a Boolean.
public nonisolated(unsafe) let kSecReturnAttributes: CFString = "r_Attributes"
/// Whether an object is returned, such as a ``SecKey``: a Boolean.
public nonisolated(unsafe) let kSecReturnRef: CFString = "r_Ref"
/// Whether a reference that outlives the process is returned: a Boolean.
public nonisolated(unsafe) let kSecReturnPersistentRef: CFString = "r_PersistentRef"
/// The value of an item: data.
public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
/// An item as an object, such as a ``SecKey``.
public nonisolated(unsafe) let kSecValueRef: CFString = "v_Ref"
/// A reference to an item that outlives the process: data.
public nonisolated(unsafe) let kSecValuePersistentRef: CFString = "v_PersistentRef"
