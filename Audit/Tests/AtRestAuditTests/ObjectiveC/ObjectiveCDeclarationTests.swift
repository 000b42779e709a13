import Testing

@Suite struct ObjectiveCDeclarationTests {
  @Test func classHasWhatItsPartsDeclare() {
    let text = """
      @class Other; @protocol Later;
      @interface Login : UIViewController <UITextFieldDelegate, NSCoding> {
        @private NSString *_pin;
        IBOutlet UITextField *_field, *_other;
      }
      @property (nonatomic, copy, getter=isOn, nullable) NSString *token, *pin;
      @end
      @implementation Login { int _count; }
      @synthesize token = _token;
      @dynamic pin;
      @end
      """
    #expect(
      ObjectiveCText.file(text) == """
        class Login: UIViewController, UITextFieldDelegate, NSCoding { var _pin: NSString; \
        @IBOutlet var _field: UITextField; @IBOutlet var _other: UITextField; \
        @nonatomic @copy @getter(isOn) @nullable var token: NSString; \
        @nonatomic @copy @getter(isOn) @nullable var pin: NSString }
        class Login { var _count: int }
        """)
  }

  @Test(arguments: [
    ("@interface A () @end", "extension A {}"),
    ("@interface A (B) <C> @end", "extension A: C {}"),
    ("@implementation A (B) @end", "extension A {}"),
    ("@interface A<__covariant T> : B<T> <C> @end", "class A: B, C {}"),
    ("@protocol P <Q> @optional - (void)a; @end", "protocol P: Q { func a() -> void }"),
    ("@protocol P, Q;", ""),
    ("@interface A - (void)a; @interface B @end", "class A { func a() -> void }\nclass B {}"),
    ("@interface", "!! 1 This code was not understood."),
  ])
  func containerIsRead(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.file(text) == expected)
  }

  @Test(arguments: [
    ("@property int a;", "var a: int"),
    ("@property (weak) IBOutlet UITextField *a;", "@weak @IBOutlet var a: UITextField"),
    (
      "@property (strong) IBOutletCollection(UIView) NSArray *a;",
      "@strong @IBOutletCollection var a: NSArray"
    ),
    (
      "@property (copy) void (^done)(NSData *d, NSError *e);",
      "@copy var done: void (^)(NSData *d, NSError *e)"
    ),
    (
      "@property (copy) NSArray<NSString *> *a NS_AVAILABLE(10_0);",
      "@copy var a: NSArray<NSString *>"
    ),
    ("@property (class, readonly) A *a;", "@class @readonly static var a: A"),
    ("@property (nonatomic) BOOL a UI_APPEARANCE_SELECTOR;", "@nonatomic var a: BOOL"),
    ("@property (copy) ArrayOf(NSString *) *a;", "@copy var a: ArrayOf(NSString *)"),
    ("@property (assign) id<P> _Nullable a;", "@assign var a: id<P>"),
  ])
  func propertyIsAVariable(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.file("@interface A\n\(text)\n@end") == "class A { \(expected) }")
  }

  @Test(arguments: [
    ("- (void)a;", "func a() -> void"),
    ("+ (instancetype)shared;", "static func shared() -> instancetype"),
    ("- (NSString *)a:(id)x b:(int)y;", "func a(_ x: id, b y: int) -> NSString"),
    ("- a:x;", "func a(_ x)"),
    ("- (void)a:(NSString *)x, ...;", "func a(_ x: NSString) -> void"),
    ("- (void)a:(id)x :(id)y;", "func a(_ x: id, _ y: id) -> void"),
    ("- (IBAction)a:(id)sender;", "@IBAction func a(_ sender: id) -> IBAction"),
    ("- (void)a NS_AVAILABLE(10_0, 2_0);", "func a() -> void"),
    ("- (void)a:(nullable NSString *)x __attribute__((unused));", "func a(_ x: NSString) -> void"),
    ("- (void)a:(void (^)(int))x;", "func a(_ x: void (^)(int)) -> void"),
    ("- (nonnull NSArray<id> *)a { return b; }", "func a() -> NSArray<id> { return b }"),
    ("- (void)a; { b(); }", "func a() -> void { b() }"),
    ("- (void)init:(int)for in:(int)class;", "func init(_ for: int, in class: int) -> void"),
  ])
  func methodIsAFunction(_ text: String, _ expected: String) {
    let found = ObjectiveCText.file("@implementation A\n\(text)\n@end")
    #expect(found.replacing("  {", with: " {") == "class A { \(expected) }")
  }

  @Test(arguments: [
    ("static NSString * const kKey = @\"a\";", "static let kKey: NSString = \"a\""),
    (
      "NSString *const A = @\"a\", *const B = @\"b\";",
      "let A: NSString = \"a\"\nlet B: NSString = \"b\""
    ),
    ("extern NSString * const k;", "let k: NSString"),
    ("FOUNDATION_EXPORT NSString *const k NS_SWIFT_NAME(x);", "let k: NSString"),
    ("extern BOOL flag NS_UNAVAILABLE;", "var flag: BOOL"),
    ("static const uint8_t salt[] = {1, 2};", "static let salt: uint8_t[] = [1, 2]"),
    ("static void (^b)(int);", "static var b: void (^)(int)"),
    ("int (*f)(int) = g;", "var f: int (*)(int) = g"),
    ("int a;", "var a: int"),
    ("struct a;", ""),
    ("typedef void (^Done)(int);", ""),
    ("NS_ASSUME_NONNULL_BEGIN\nint a;\nNS_ASSUME_NONNULL_END", "var a: int"),
    ("API_AVAILABLE(ios(9)) @interface A @end", "class A {}"),
    ("__attribute__((visibility(\"default\"))) int a;", "var a: int"),
  ])
  func variableIsRead(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.file(text) == expected)
  }

  @Test(arguments: [
    ("void f(void);", "func f() -> void"),
    (
      "static inline int f(int a, char *b) { return a; }",
      "static func f(_ a: int, _ b: char) -> int { return a }"
    ),
    ("NS_INLINE NSString *f(const char *a[]) { }", "func f(_ a: char[]) -> NSString {}"),
    (
      "void f(void (^b)(int), ...) __attribute__((format(1, 2)));",
      "func f(_ b: void (^)(int)) -> void"
    ),
    (
      "int main(int argc, char * argv[]) { return 0; }",
      "func main(_ argc: int, _ argv: char[]) -> int { return 0 }"
    ),
    ("f(a) { b(); }", "func f(_ : a) { b() }"),
    (
      "RCT_EXPORT_METHOD(save:(NSString *)a to:(id)b) { c(a); }",
      "func save(_ a: NSString, to b: id) { c(a) }"
    ),
    ("RCT_EXPORT_MODULE()\nint a;", "var a: int"),
  ])
  func functionIsRead(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.file(text).replacing("  {", with: " {") == expected)
  }

  @Test(arguments: [
    (
      "typedef NS_ENUM(NSInteger, E) { A = 1, B, C = 1 << 2 };",
      "enum E { case let A = 1; case let C = (1 << 2) }"
    ),
    (
      "typedef NS_OPTIONS(NSUInteger, E) { A NS_SWIFT_NAME(a) = 1, } API_AVAILABLE(ios(9));",
      "enum E { case let A = 1 }"
    ),
    ("typedef enum { A = 1 } E;", "enum E { case let A = 1 }"),
    ("enum E : int { A = 1 };", "enum E: int { case let A = 1 }"),
    (
      "struct S { int a, *b; char c[4]; unsigned d : 3; };",
      "struct S { var a: int; var b: int; var c: char[4]; var d: unsigned }"
    ),
    (
      "typedef struct s { struct { int a; } b; } S;",
      "struct S { var b; struct  { var a: int } }"
    ),
    ("typedef union { int a; float b; } U;", "struct U { var a: int; var b: float }"),
  ])
  func typeOfCIsRead(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.file(text) == expected)
  }
}
