import { encodeCommand } from './encode-command.ts';
import { RespParser } from './resp-parser.ts';
import { RespError, RespPush, toText } from './resp-value.ts';

const parse = (text: string): unknown[] => new RespParser().push(Buffer.from(text)).map(toText);

describe('RespParser', () => {
  it.each<[string, unknown]>([
    ['+OK\r\n', 'OK'],
    [':-12\r\n', -12],
    ['$3\r\na\r\n\r\n', 'a\r\n'],
    ['$0\r\n\r\n', ''],
    ['$-1\r\n', null],
    ['*-1\r\n', null],
    ['*0\r\n', []],
    ['*2\r\n*1\r\n:1\r\n$1\r\nb\r\n', [[1], 'b']],
    ['_\r\n', null],
    ['#t\r\n', true],
    ['#f\r\n', false],
    [',1.5\r\n', '1.5'],
    ['(123456789012345678901\r\n', '123456789012345678901'],
    ['=7\r\ntxt:abc\r\n', 'abc'],
    ['%1\r\n+a\r\n:1\r\n', ['a', 1]],
    ['~1\r\n:1\r\n', [1]],
    ['|1\r\n+ttl\r\n:1\r\n:2\r\n', 2],
  ])('reads %j', (text, value) => {
    expect(parse(text)).toEqual([value]);
  });

  it('tells errors and pushes from replies, also inside a list', () => {
    const [list, push, blob] = new RespParser().push(
      Buffer.from('*1\r\n-ERR no\r\n>1\r\n+message\r\n!6\r\nERR no\r\n'),
    );
    expect(list).toEqual([new RespError('ERR no')]);
    expect(push).toEqual(new RespPush(['message']));
    expect(blob).toEqual(new RespError('ERR no'));
  });

  it('reads the same from chunks that are cut anywhere', () => {
    const bytes = Buffer.concat([
      encodeCommand(['set', 'a', 'ä\r\n$3']),
      Buffer.from('>1\r\n:1\r\n'),
    ]);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const parser = new RespParser();
      const values = [...parser.push(bytes.subarray(0, cut)), ...parser.push(bytes.subarray(cut))];
      expect(values.map(toText)).toEqual([['set', 'a', 'ä\r\n$3'], [1]]);
    }
  });

  it('refuses what is not RESP at its first byte', () => {
    expect(() => parse('P')).toThrow('Cannot read byte 80 as a RESP type');
  });
});
