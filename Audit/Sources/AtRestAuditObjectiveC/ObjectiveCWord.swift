// The names are Objective-C's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The words that the parser knows. Their raw values are the numbers of their names in
/// `ObjectiveCNames`.
enum ObjectiveCWord: Int32, CaseIterable {
  // Statements.
  case `if`, `else`, `for`, `in`, `while`, `do`, `switch`, `case`, `default`, `return`, `break`
  case `continue`, goto, `try`, `catch`, finally, `throw`, synchronized, autoreleasepool, asm, __asm
  case __asm__
  // Declarations.
  case interface, implementation, `protocol`, end, `class`, property, synthesize, dynamic, optional
  case required, `public`, `private`, protected, package, compatibility_alias, `import`
  case typedef, `struct`, union, `enum`, namespace, template, using, `operator`, friend, signals
  case static_assert, _Static_assert
  case NS_ENUM, NS_OPTIONS, NS_CLOSED_ENUM, NS_ERROR_ENUM, CF_ENUM, CF_OPTIONS, CF_CLOSED_ENUM
  case IBOutlet, IBOutletCollection, IBInspectable, IBAction
  // Words beside a type.
  case `static`, extern, inline, `const`, volatile, register, constexpr, thread_local, mutable
  case virtual, explicit, typename, __block, __weak, __strong, __unsafe_unretained, __autoreleasing
  case __kindof, __covariant, __contravariant, __inline, __inline__, __thread, __const, __restrict
  case restrict, _Nonnull, _Nullable, _Null_unspecified, __nonnull, __nullable, nonnull, nullable
  case null_unspecified, null_resettable, `inout`, out, bycopy, byref, oneway, __unused, _Noreturn
  case __bridge, __bridge_transfer, __bridge_retained, __extension__, __volatile__
  case __attribute__, __attribute, __declspec, alignas, _Alignas
  // Types.
  case void, char, short, int, long, float, double, signed, unsigned, bool, _Bool, __signed
  case auto, __auto_type, typeof, __typeof, __typeof__, decltype
  case id, Class, SEL, IMP, BOOL, NSInteger, NSUInteger, CGFloat, NSTimeInterval, instancetype
  // Expressions.
  case `self`, `super`, this, `nil`, Nil, NULL, nullptr, YES, NO, `true`, `false`, TRUE, FALSE
  case sizeof, alignof, _Alignof, __alignof__, new, delete, selector, encode, available
  // Directives.
  case include, include_next, define, undef, ifdef, ifndef, elif, endif, pragma, defined

  static let spellings = allCases.map { "\($0)" }
}
