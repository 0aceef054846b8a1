import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { Body, Get, HttpCode, JsonController, NotFoundError, Param, Post } from 'routing-controllers';

export class NewBook {
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  title!: string;
}

const books = new Map([[1, { id: 1, title: 'Dune' }]]);

/** A controller of routing-controllers. */
@JsonController('/books')
export class BooksController {
  @Get()
  all(): unknown[] {
    return [...books.values()];
  }

  @Get('/:id')
  one(@Param('id') id: number): unknown {
    const book = books.get(id);
    if (book === undefined) throw new NotFoundError(`no book ${id}`);
    return book;
  }

  @Post()
  @HttpCode(201)
  add(@Body() { title }: NewBook): unknown {
    const book = { id: books.size + 1, title };
    books.set(book.id, book);
    return book;
  }
}
