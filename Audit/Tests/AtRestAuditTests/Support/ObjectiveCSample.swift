/// About two hundred lines of Objective-C with everything that the reader knows. Tests break them.
enum ObjectiveCSample {
  static let text = #"""
    // A login screen.
    #import <UIKit/UIKit.h>
    #import "Vault.h"
    @import Security;

    #define kService @"com.example.login"
    #define MAX_TRIES (5)
    #define DLog(fmt, ...) NSLog((@"%s " fmt), __PRETTY_FUNCTION__, ##__VA_ARGS__)

    NS_ASSUME_NONNULL_BEGIN

    FOUNDATION_EXPORT NSString * const LoginDidEnd;
    NSString * const LoginDidEnd = @"LoginDidEnd", *const Other = @"a" @"b";
    static const uint8_t salt[] = { 0x01, 0x02, 'c', '\n' };
    static NSString *cached;

    typedef NS_ENUM(NSInteger, LoginState) {
      LoginStateNone = 0,
      LoginStateOpen NS_SWIFT_NAME(open) = 1 << 2,
    };

    typedef void (^LoginDone)(NSData * _Nullable data, NSError * _Nullable error);

    struct point { int x, y; unsigned flag : 3; };

    #ifdef __cplusplus
    extern "C" {
    #endif
    int hash(const char *text, size_t length);
    #ifdef __cplusplus
    }
    #endif

    @protocol LoginDelegate <NSObject>
    @optional
    - (void)login:(id)login didEndWith:(nullable NSError *)error;
    @end

    @interface Login () <UITextFieldDelegate, NSCoding> {
      @private
      NSString *_pin;
      dispatch_queue_t _queue;
    }
    @property (weak, nonatomic) IBOutlet UITextField *passwordField;
    @property (nonatomic, copy, nullable) LoginDone done;
    @property (nonatomic, copy) void (^progress)(double part);
    @property (class, readonly) NSDictionary<NSString *, id> *defaults;
    @end

    @implementation Login
    @synthesize done = _done;

    + (instancetype)shared {
      static Login *shared;
      static dispatch_once_t once;
      dispatch_once(&once, ^{
        shared = [[self alloc] init];
      });
      return shared;
    }

    - (instancetype)init {
      if ((self = [super init])) {
        _queue = dispatch_queue_create("queue", NULL);
      }
      return self;
    }

    - (IBAction)login:(id)sender {
      NSString *password = self.passwordField.text;
      [[NSUserDefaults standardUserDefaults] setObject:password forKey:@"password"];
      [[NSUserDefaults standardUserDefaults] synchronize];
      // atrest:ignore log-sensitive a test
      NSLog(@"password: %@", password);
    #if DEBUG
      DLog(@"pin %@", _pin);
    #else
      (void)_pin;
    #endif
    }

    - (BOOL)store:(NSData *)data error:(NSError **)error {
      NSDictionary *query = @{
        (__bridge id)kSecClass: (__bridge id)kSecClassGenericPassword,
        (__bridge id)kSecAttrService: kService,
        (__bridge id)kSecValueData: data ?: [NSData data],
      };
      SecItemDelete((__bridge CFDictionaryRef)query);
      OSStatus status = SecItemAdd((__bridge CFDictionaryRef)query, NULL);
      if (status != errSecSuccess) {
        if (error) *error = [NSError errorWithDomain:NSOSStatusErrorDomain
                                                code:status
                                            userInfo:nil];
        return NO;
      } else if (status == -25300) {
        goto end;
      } else {
        return YES;
      }
    end:
      return [data writeToFile:[self path] options:NSDataWritingAtomic error:error];
    }

    - (nullable NSData *)encrypt:(NSData *)data key:(NSString *)key {
      uint8_t iv[kCCBlockSizeAES128] = {0};
      char raw[kCCKeySizeAES256 + 1];
      bzero(raw, sizeof(raw));
      [key getCString:raw maxLength:sizeof(raw) encoding:NSUTF8StringEncoding];
      size_t length = data.length + kCCBlockSizeAES128, moved = 0;
      void *buffer = malloc(length);
      CCCryptorStatus status = CCCrypt(
          kCCEncrypt, kCCAlgorithmAES128, kCCOptionPKCS7Padding | kCCOptionECBMode,
          raw, kCCKeySizeAES256, iv, [data bytes], [data length], buffer, length, &moved);
      switch (status) {
        case kCCSuccess:
          return [NSData dataWithBytesNoCopy:buffer length:moved];
        case kCCParamError: case kCCBufferTooSmall: {
          free(buffer);
          break;
        }
        default:
          NSAssert(NO, @"%d", (int)status);
      }
      return nil;
    }

    - (void)walk {
      for (NSString *key in [self.all allKeys]) {
        NSString *value = self.all[key];
        if (![value isKindOfClass:[NSString class]]) continue;
        [self add:value to:@[@1, @YES, @(key.length), @"x"]];
      }
      for (int i = 0, j = 10; i < j; i++, --j) { total += i * j; }
      while (self->count > 0) self->count--;
      do { total >>= 1; } while (total);
      @try {
        [self run];
      } @catch (NSException *exception) {
        @throw exception;
      } @finally {
        [self stop];
      }
      @synchronized (self) { [_items removeAllObjects]; }
      @autoreleasepool { [self drain]; }
    }

    - (void)fetch:(NSURL *)url then:(void (^)(NSData *, NSError *))then {
      __weak typeof(self) weakSelf = self;
      __block NSInteger tries = 0;
      NSURLSessionTask *task = [[NSURLSession sharedSession]
          dataTaskWithURL:url
        completionHandler:^(NSData *data, NSURLResponse *response, NSError *error) {
          NSHTTPURLResponse *answer = (NSHTTPURLResponse *)response;
          if (answer.statusCode == 200 && !error) {
            dispatch_async(dispatch_get_main_queue(), ^{
              then ? then(data, nil) : [weakSelf fail:tries];
            });
          }
        }];
      [task resume];
      [self performSelector:@selector(later:) withObject:nil afterDelay:.5f];
      [self log:@"%" PRIu64 @" of %s", total, @encode(struct point)];
    }

    #pragma mark - it's the end

    - (void)textFieldDidChange:(UITextField *)field
    {
      id<LoginDelegate> delegate = (id<LoginDelegate>)self.delegate;
      [delegate login:self didEndWith:field.text.length > 3 ? nil : self.error];
      CGRect frame = (CGRect){ .origin = {0, 0}, .size = { 1.0, 2 } };
      [(UIView *)[self.views objectAtIndex:0] setFrame:frame];
      void (^block)(int) = ^(int x) { total = ~x & 0xFF; };
      block(({ int t = 3; t + 1; }));
    }

    @end

    #if 0
    - (void)never { it's; }
    #endif

    int hash(const char *text, size_t length) {
      unsigned long long value = 5381ULL;
      for (size_t i = 0; text[i] != '\0' && i < length; ++i)
        value = ((value << 5) + value) ^ (unsigned char)text[i];
      return (int)value;
    }

    int main(int argc, char *argv[]) {
      @autoreleasepool {
        return UIApplicationMain(argc, argv, nil, NSStringFromClass([Login class]));
      }
    }

    NS_ASSUME_NONNULL_END
    """#
}
